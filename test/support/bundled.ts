/**
 * Bundles of the modules in `test/programs`, which run in their own processes and worker threads. Loading hundreds of modules
 * would take most of the time of such a test.
 *
 * The first process that needs the bundles creates them, and passes their folder to the processes that it starts.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const root = new URL('../../', import.meta.url)
const programs = new URL('test/programs/', root)

/** The module that worker threads run. */
export const worker = new URL('src/node/workers/worker.js', root).href

const entries: ReadonlyArray<string> = [
  worker,
  new URL('src/showcase/api.js', root).href,
  ...readdirSync(programs)
    .filter((name) => name.endsWith('.js'))
    .map((name) => new URL(name, programs).href),
]

/** The environment variable with the folder of the bundles. */
const folderVariable = 'ESPALIER_BUNDLED'

const createBundles = (): string => {
  const parent = fileURLToPath(new URL('bundled/', root))
  mkdirSync(parent, { recursive: true })
  const outdir = mkdtempSync(parent)
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }))
  buildSync({
    entryPoints: entries.map((entry) => fileURLToPath(entry)),
    entryNames: '[name]',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: { 'fp-ts/lib': 'fp-ts/es6' },
    // packages in CommonJS require the modules of Node.js
    banner: {
      js: `import{createRequire as __from}from'node:module';const require=__from(import.meta.url);`,
    },
    logLevel: 'error',
  })
  return outdir
}

let folder: string | undefined

const bundles = (): string => (folder ??= process.env[folderVariable] ?? createBundles())

/** Returns the environment of processes that use the bundles of this one. */
export const bundleEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  [folderVariable]: bundles(),
})

const bundleOf = (module: string): URL =>
  new URL(basename(module), `${pathToFileURL(bundles()).href}/`)

/** Returns the URL of the bundle of a module; `undefined` for a module that is not bundled. */
export const bundled = (module: string): string | undefined =>
  entries.includes(module) ? bundleOf(module).href : undefined

/** Returns the path of the bundle of a program in `test/programs`, such as `serving.js`. */
export const program = (name: string): string => fileURLToPath(bundleOf(name))
