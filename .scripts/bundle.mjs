/**
 * Bundles the compiled entry points in `dist/src` into `dist/espalier`, which is what the package exports.
 *
 * One file loads several times faster than the hundreds of modules that it is made of. Code that entry points share is in chunks.
 */
import {
  chmodSync,
  copyFileSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const outdir = 'dist/espalier'
const entryPoints = [
  'index',
  'browser', // index.js for pages
  'json',
  'xml',
  'links',
  'hal',
  'cbor',
  'client',
  'client-anywhere', // client.js for runtimes other than Node.js
  'fetch',
  'node',
  'testing',
  'openapi',
  'opentelemetry',
  'webhooks',
]

/**
 * The entry points of bundlers of pages. Their modules are a copy of their own, with one file for each module: bundlers omit what a page
 * does not use by file, if a part that is imported at run time uses it.
 */
const pageEntryPoints = [
  'browser',
  'json',
  'xml',
  'links',
  'hal',
  'cbor',
  'client-anywhere',
  'fetch',
  'openapi',
]

/** Dependencies and peers, which an application has once. */
const external = [
  'io-ts',
  'cookie',
  'busboy',
  'mime',
  'temporal-polyfill',
  'lossless-json',
  'fast-xml-parser',
  'jose',
  'standardwebhooks',
  'cborg',
  'yaml',
  '@opentelemetry/api',
  '@eslint-community/regexpp',
]

/**
 * Marks the initialization of constants of modules as free of side effects, as all modules of espalier are. Bundlers of pages then omit
 * the constants that are not used. A function around the value covers all calls in it.
 *
 * Also removes the function that TypeScript applies to the names of modules imported at run time, because it separates comments such as
 * `webpackIgnore` from `import`.
 *
 * @type {import('esbuild').Plugin}
 */
const pureConstants = {
  name: 'pure-constants',
  setup: (builder) =>
    builder.onLoad({ filter: /dist\/src\/.*\.js$/ }, ({ path }) => ({
      contents:
        withPureConstants(
          readFileSync(path, 'utf8').replaceAll(
            /(?<=import\()__rewriteRelativeImportExtension\(([^()]*)\)/g,
            '$1',
          ),
        ) + (builder.initialOptions.outdir === outdir ? companionImports(path) : ''),
    })),
}

const literal = /^(?:'(?:[^'\\]|\\.)*'|\/.*\/[a-z]*)$/
const declaredFunction =
  /^(?:async\b|await\b|function\b|class\b|[^()]* =>|\([^()]*(?:\([^()]*\)[^()]*)*\) =>)/

/** Whether a template literal has several lines, in which the end of a statement cannot be recognised. @type {(value: string) => boolean} */
const hasMultilineText = (value) =>
  value.split('\n').some((line) => line.replaceAll(/[^`]/g, '').length % 2 === 1)

/** @type {(value: string) => boolean} */
const needsMark = (value) =>
  /[(`]|\.\.\./.test(value) &&
  !literal.test(value) &&
  !declaredFunction.test(value) &&
  !hasMultilineText(value)

/** @type {(text: string) => string} */
const withPureConstants = (text) =>
  text
    .split(/\n(?=[^\s})\]])/) // statements of the module
    .map((statement) =>
      statement.replace(/^((?:export )?const \w+ = )([^]*);(?=\s*$)/, (all, start, value) =>
        needsMark(value) ? `${start}/* @__PURE__ */ (() => (${value}))();` : all,
      ),
    )
    .join('\n')

/**
 * The modules that programs load anyway if they load one of these modules. Without them, each combination of modules that only
 * some entry points need would be a chunk. A server then loads 43 files instead of 11, and every file takes 0.5 ms.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const companions = {
  // every program with endpoints also serves, calls or tests them
  'index.js': [
    'json',
    'links',
    'hal',
    'body/body-formats',
    'body/charset',
    'body/create-body-plans',
    'body/entity-plan',
    'body/body-plan',
    'body/interceptors',
    'body/multipart/part-parser',
    'body/multipart/read-parts',
    'body/multipart/write-parts',
    'body/stream/stream-format',
    'body/stream/open-source',
    'body/text-values',
    'body/verify-declarations',
    'codec/structure/invalid-part',
    'endpoint/tree/declaration-issues',
    'endpoint/internal/default-response',
    'endpoint/definition/header-name',
    'endpoint/definition/idempotency',
    'endpoint/definition/path-pattern',
    'endpoint/internal/response-headers',
    'diagnostics/tracing-channel',
    'http/byte-collector',
    'http/idempotency-key',
    'http/part-headers',
  ],
  'node.js': ['index'],
  'json.js': ['index'],
  'xml.js': ['index'],
  'links.js': ['index'],
  'hal.js': ['index'],
  'cbor.js': ['index'],
  'fetch.js': ['index'],
  'openapi.js': ['index'],
  'client.js': ['index'],
  'client/prepare-call.js': ['client/further-formats'],
  'testing.js': ['index'],
  'opentelemetry.js': ['index', 'node'],
  'webhooks.js': ['index'],
  // loaded on demand by servers
  'node/workers/worker.js': ['index', 'node'],
  'node/workers/worker-pool.js': ['index', 'node'],
  'node/files/upload-file.js': ['index', 'node'],
  'node/files/private-directory.js': ['index', 'node'],
  'node/multipart/busboy-parser.js': ['index', 'node'],
  'node/instances/instance.js': ['index', 'node'],
  'node/instances/supervisor.js': ['index', 'node'],
  'node/direct/direct-protocol.js': ['index', 'node'],
  'node/http2/http2-protocol.js': ['index', 'node'],
  'node/tls/load-tls.js': ['index', 'node'],
  'cli/openapi-command.js': ['index', 'node'],
  'cli/routes-command.js': ['index', 'node'],
}

/** The files of the modules that are companions. */
const companionFiles = new Set(
  Object.values(companions).flatMap((names) =>
    names.map((name) => resolve('dist/src', `${name}.js`)),
  ),
)

/**
 * Makes esbuild keep the imports of {@link companions}, although the package has no side effects. Bundlers of pages omit them.
 *
 * @type {import('esbuild').Plugin}
 */
const keepCompanions = {
  name: 'keep-companions',
  setup: (builder) =>
    builder.onResolve({ filter: /\.js$/ }, ({ path, resolveDir }) => {
      const file = resolve(resolveDir, path)
      return companionFiles.has(file) ? { path: file, sideEffects: true } : undefined
    }),
}

/** @type {(path: string) => string} */
const companionImports = (path) =>
  (companions[relative('dist/src', path)] ?? [])
    .map((name) => `\nimport ${JSON.stringify(resolve('dist/src', `${name}.js`))}`)
    .join('')

/**
 * Adds the line that makes the command executable.
 *
 * @type {import('esbuild').Plugin}
 */
const executable = {
  name: 'executable',
  setup: (builder) =>
    builder.onLoad({ filter: /dist\/src\/cli\/main\.js$/ }, ({ path }) => ({
      contents: `#!/usr/bin/env node\n${readFileSync(path, 'utf8')}`,
    })),
}

/**
 * Names each chunk after the largest module in it, so that stack traces are readable without source maps. The functions that esbuild
 * adds are a chunk without modules.
 *
 * @type {(metafile: import('esbuild').Metafile) => ReadonlyArray<readonly [before: string, after: string]>}
 */
const namesOfChunks = (metafile) =>
  Object.entries(metafile.outputs).flatMap(([path, { inputs }]) => {
    const chunk = /^chunk-([A-Z0-9]+)\.js$/.exec(basename(path))
    const [largest] = Object.entries(inputs).toSorted(
      ([, a], [, b]) => b.bytesInOutput - a.bytesInOutput,
    )
    if (chunk === null) return []
    const name = largest === undefined ? 'runtime' : basename(largest[0], '.js')
    return [[`chunk-${chunk[1]}`, `${name}-${chunk[1]}`]]
  })

/** The first statement of files that require Node.js. A page that imports one of them fails with this error. */
const requireNode =
  'if (typeof process !== "object" || typeof process.getBuiltinModule !== "function") throw new TypeError("espalier/node, espalier/testing and the command require Node.js 20.19 or later: web pages and other runtimes can import espalier, espalier/client and espalier/fetch"); '

/**
 * Replaces imports of modules of Node.js with calls of `process.getBuiltinModule`.
 *
 * For an import, Node.js reads all exports of the module, which calls their getters. One of `node:http` loads undici, which takes 25 to
 * 30 ms since Node.js 22. Each other module takes 0.3 to 4 ms.
 *
 * @type {(text: string) => string}
 */
const withoutBuiltinImports = (text) => {
  const replaced = text.replaceAll(
    /^import (?:\* as )?(\w+|\{[^}]+\}) from ("node:[^"]+");$/gm,
    (_, names, module) =>
      `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule(${module});`,
  )
  return replaced === text || text.startsWith('#!') ? replaced : requireNode + replaced
}

/** Bundles entry points into a folder. @type {(folder: string, options: import('esbuild').BuildOptions) => Promise<void>} */
const bundle = async (folder, options) => {
  const { metafile } = await build({
    outdir: folder,
    bundle: true,
    splitting: true, // entry points share one copy of each class and symbol
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    alias: { 'fp-ts/lib': 'fp-ts/es6' }, // ES modules, of which unused parts are dropped
    metafile: true,
    logLevel: 'warning',
    ...options,
  })
  const chunkNames = namesOfChunks(metafile)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const written = readFileSync(path, 'utf8')
    const text = name.endsWith('.js') ? withoutBuiltinImports(written) : written
    // `requireBundled` is explained in `src/packages/load-package.ts`
    const renamed = [...chunkNames, ['requireBundled', 'require']].reduce(
      (all, [before = '', after = '']) => all.replaceAll(before, after),
      text,
    )
    if (renamed !== written) writeFileSync(path, renamed)
    const found = chunkNames.find(([before]) => name.startsWith(`${before}.`))
    if (found !== undefined) renameSync(path, join(folder, name.replace(...found)))
  }
}

rmSync(outdir, { recursive: true, force: true })
await bundle(outdir, {
  entryPoints: [
    ...entryPoints.map((name) => ({ in: `dist/src/${name}.js`, out: name })),
    { in: 'dist/src/node/workers/worker.js', out: 'worker' }, // started by its path
    { in: 'dist/src/cli/main.js', out: 'cli' }, // the command of the package
  ],
  plugins: [keepCompanions, executable, pureConstants],
})

/** Writes the modules of pages. */
const page = `${outdir}/page`
const { metafile } = await build({
  entryPoints: pageEntryPoints.map((name) => `dist/src/${name}.js`),
  outdir: page,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: [...external, 'fp-ts'],
  metafile: true,
  write: false,
  logLevel: 'warning',
})
await build({
  entryPoints: Object.keys(metafile.inputs),
  outbase: 'dist/src',
  outdir: page,
  format: 'esm',
  target: 'node20',
  plugins: [pureConstants],
  logLevel: 'warning',
})
for (const name of readdirSync(page, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.js')) {
    const written = readFileSync(join(page, name), 'utf8')
    const text = withoutBuiltinImports(written)
      .replaceAll('requireBundled', 'require')
      .replaceAll(/(from "|import ")fp-ts\/lib\//g, '$1fp-ts/es6/') // ES modules, of which unused parts are dropped
    if (text !== written) writeFileSync(join(page, name), text)
  }

chmodSync(join(outdir, 'cli.js'), 0o755)

// its licence requires that copies include this text
copyFileSync('node_modules/fp-ts/LICENSE', join(outdir, 'LICENSE-fp-ts'))
