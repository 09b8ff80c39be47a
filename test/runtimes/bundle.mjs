/** Bundles the contracts, or a service, into one file for a runtime. */
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../..')
const support = join(root, 'test/support')

/** The test files of all contracts. @type {ReadonlyArray<string>} */
export const contractFiles = readdirSync(join(root, 'test/contract'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.test.ts'))
  .toSorted()

/** Modules of Node.js that workerd does not have. */
const missingInWorkerd = [
  'worker_threads',
  'child_process',
  'v8',
  'vm',
  'cluster',
  'repl',
  'inspector',
]

/**
 * Replaces the modules of tests that need Node.js.
 *
 * @type {(isWorker: boolean) => import('esbuild').Plugin}
 */
const replaceModules = (isWorker) => ({
  name: 'replace-modules',
  setup: (builder) => {
    builder.onResolve(
      { filter: /support\/contract\.ts$|^\.\/contract\.ts$/ },
      ({ resolveDir, path }) =>
        join(resolveDir, path) === join(support, 'contract.ts')
          ? { path: join(here, 'harness/contract.mjs') }
          : undefined,
    )
    builder.onResolve({ filter: /contract\.ts\?original$/ }, () => ({
      path: join(support, 'contract.ts'),
    }))
    builder.onResolve({ filter: /^uvu$/ }, () => ({ path: join(here, 'harness/uvu.mjs') }))
    builder.onResolve({ filter: /^contract-files$/ }, ({ path }) => ({ path, namespace: 'files' }))
    builder.onLoad({ filter: /.*/, namespace: 'files' }, () => ({
      resolveDir: root,
      contents: `export const files = [${contractFiles
        .map(
          (name) =>
            `{ name: ${JSON.stringify(name)}, load: () => import('./test/contract/${name}') }`,
        )
        .join(',\n')}]`,
    }))
    // as in the published files, so that bundlers include the packages
    builder.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('requireBundled', 'require'),
      loader: 'ts',
    }))
    if (!isWorker) return
    builder.onResolve({ filter: /^stream$/ }, ({ path }) => ({ path, namespace: 'stream' }))
    builder.onLoad({ filter: /.*/, namespace: 'stream' }, () => ({
      contents: "export { Readable, Writable } from 'node:stream'",
    }))
    builder.onResolve({ filter: /^node:/ }, ({ path }) =>
      missingInWorkerd.includes(path.slice('node:'.length))
        ? { path, namespace: 'missing' }
        : undefined,
    )
    builder.onLoad({ filter: /.*/, namespace: 'missing' }, ({ path }) => ({
      contents:
        'module.exports = new Proxy({}, { get: (_, name) => name === "__esModule" ? false : function () {} })',
      loader: 'js',
    }))
  },
})

/** Bundles an entry point of this folder. @type {(entry: string, outfile: string, isWorker?: boolean) => Promise<void>} */
export const bundle = async (entry, outfile, isWorker = false) => {
  const hasNode = !entry.includes('service')
  await build({
    entryPoints: [join(here, entry)],
    absWorkingDir: root,
    outfile,
    bundle: true,
    format: 'esm',
    platform: isWorker ? 'neutral' : 'node',
    mainFields: ['module', 'main'],
    conditions: isWorker ? ['workerd', 'import'] : ['import'],
    target: 'es2022',
    external: ['node:*', 'cloudflare:*'],
    nodePaths: [join(root, 'node_modules')],
    alias: { 'fp-ts/lib': 'fp-ts/es6' },
    plugins: [replaceModules(isWorker)],
    banner: hasNode
      ? {
          js: "import { createRequire as requireCreator } from 'node:module'; const require = requireCreator(import.meta.url ?? 'file:///worker.js');",
        }
      : {},
    logLevel: 'error',
    sourcemap: false,
  })
}
