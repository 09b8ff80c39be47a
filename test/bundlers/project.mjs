/** Projects in a temporary folder, outside the repository, into which the packed package is installed with fp-ts and io-ts only. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const optionalPackages = ['jose', 'yaml', 'swagger-ui-dist', 'undici']

/** Creates a folder that is deleted when the process exits. @type {() => string} */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bundlers-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Packs the package, and returns the path of the file. @type {(folder: string) => string} */
export const pack = (folder) => {
  const options = ['--ignore-scripts', '--silent', '--pack-destination', folder]
  execFileSync('npm', ['pack', ...options], { cwd: repository, stdio: 'ignore' })
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  )
}

/** Writes files below a folder. @type {(folder: string, files: Readonly<Record<string, string>>) => void} */
export const writeFiles = (folder, files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/**
 * Installs the package and its required peers into a folder, with a `package.json` that has more members.
 *
 * @type {(folder: string, tarball: string, manifest?: object) => void}
 */
export const install = (folder, tarball, manifest = {}) => {
  const dependencies = { espalier: `file:${tarball}`, 'fp-ts': '^2.16.11', 'io-ts': '^2.2.22' }
  const content = { private: true, type: 'module', dependencies, ...manifest }
  writeFiles(folder, { 'package.json': JSON.stringify(content) })
  const { npm_config_local_prefix: _, ...env } = process.env
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const installed = new Set(readdirSync(join(folder, 'node_modules')))
  const found = optionalPackages.filter((name) => installed.has(name))
  if (found.length > 0) throw new Error(`optional packages are installed: ${found.join(', ')}`)
}

/**
 * Runs Node.js. Resolves to the exit code and the output.
 *
 * @type {(folder: string, args: ReadonlyArray<string>, env?: object) => Promise<{ code: number, output: string }>}
 */
export const runNode = (folder, args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: 300_000,
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
