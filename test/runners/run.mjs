/**
 * Runs `suite.mjs` in test runners, some of which run modules in a realm of their own. Arguments select runners. Default: all.
 *
 * The packages of this folder must be installed, and the package built. The packed package is unpacked beside them, so that the
 * runners treat it like any other dependency.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = fileURLToPath(new URL('.', import.meta.url))

const vitest = (pool) => ['node_modules/vitest/vitest.mjs', 'run', `--pool=${pool}`, 'tests/vitest']

const moduleOptions = { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' }

/** The arguments of Node.js for each runner. @type {Readonly<Record<string, ReadonlyArray<string>>>} */
const runners = {
  jest: ['node_modules/jest/bin/jest.js', '--config', 'jest.config.json', 'tests/globals'],
  'vitest-threads': vitest('threads'),
  'vitest-forks': vitest('forks'),
  'vitest-vm-threads': vitest('vmThreads'),
  'vitest-vm-forks': vitest('vmForks'),
  node: ['--test', 'tests/node.test.mjs'],
  uvu: ['tests/uvu.test.mjs'],
  mocha: ['node_modules/mocha/bin/mocha.js', 'tests/globals.test.mjs'],
  ava: ['node_modules/ava/entrypoints/cli.mjs', 'tests/ava.test.mjs'],
}

/** @type {(command: string, args: ReadonlyArray<string>, cwd: string, env?: object) => boolean} */
const succeeds = (command, args, cwd, env = {}) =>
  spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  }).status === 0

const unpack = () => {
  const temporary = mkdtempSync(join(tmpdir(), 'espalier-pack-'))
  const target = join(folder, 'node_modules/espalier')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', temporary]
  const isUnpacked =
    succeeds('npm', pack, root) &&
    succeeds('sh', ['-c', `tar -xzf '${temporary}'/*.tgz --strip-components=1`], target)
  rmSync(temporary, { recursive: true, force: true })
  if (!isUnpacked) throw new Error('the package cannot be packed')
}

const selected = process.argv.slice(2)
unpack()
for (const runner of selected.length > 0 ? selected : Object.keys(runners)) {
  console.log(`\n# ${runner}`)
  const args = runners[runner]
  if (args === undefined)
    throw new Error(`unknown runner ${runner}: expected ${Object.keys(runners).join(', ')}`)
  const env = runner === 'jest' ? moduleOptions : {}
  if (!succeeds(process.execPath, args, folder, env)) process.exitCode = 1
}
