/**
 * Programs and trees that run in processes and threads of their own, bundled as the package is: several hundred modules are most
 * of what such a test takes. The bundles stand beside the modules, as files by their names, and go with the process.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const root = new URL('../../', import.meta.url)
/** The program of workers. */
export const worker = new URL('src/node/workers/worker.js', root).href

/** Programs, beside the trees for workers. */
const programs = [
  'few-files.js',
  'large-client.js',
  'large-contents.js',
  'relayed.js',
  'serving.js',
  'serving-itself.js',
  'uploading.js',
] as const

const support = new URL('test/support/', root)
const entries: ReadonlyArray<string> = [
  worker,
  new URL('src/showcase/api.js', root).href,
  ...readdirSync(support)
    .filter((name) => name.endsWith('-api.js') || programs.some((one) => one === name))
    .map((name) => new URL(name, support).href),
]

/** Where the process that has started this one has made them. */
const given = 'ESPALIER_BUNDLED'

const make = (): string => {
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
    // packages that are no modules ask for those of Node
    banner: {
      js: `import{createRequire as __from}from'node:module';const require=__from(import.meta.url);`,
    },
    logLevel: 'error',
  })
  return outdir
}

let made: string | undefined

/** The folder of the bundles, which are made when they are first asked for. */
const bundles = (): string => (made ??= process.env[given] ?? make())

/** What tells the processes that this one starts where the bundles are. */
export const toldOfBundles = (): NodeJS.ProcessEnv => ({ ...process.env, [given]: bundles() })

const bundleOf = (module: string): URL =>
  new URL(basename(module), `${pathToFileURL(bundles()).href}/`)

/** The bundle that stands for a module, if there is one. */
export const bundled = (module: string): string | undefined =>
  entries.includes(module) ? bundleOf(module).href : undefined

/** The file of a program. */
export const program = (name: (typeof programs)[number]): string => fileURLToPath(bundleOf(name))
