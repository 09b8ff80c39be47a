/**
 * The layers of `src` and their allowed imports, from the highest layer to the lowest. No layer imports a higher one, types
 * included, and packages are imported only by the layers that list them.
 */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import { cycleIn, folderCycleIn, importedBy } from './support/import-graph.ts'
import type { SourceFile } from './support/source.ts'
import { filesBelow, importsOf, withoutComments } from './support/source.ts'

/** What the entry point `espalier` consists of. */
const ofRoot = ['./filter', './health', './broadcast', './store', './endpoint', './codec', './http']

const layers: Readonly<Record<string, ReadonlyArray<string>>> = {
  // an application, which imports the public entry points
  showcase: ['espalier', 'fp-ts', 'io-ts', 'node:'],
  // entry points: re-exports only
  'testing.ts': ['./node', './endpoint'],
  'browser.ts': ['./index.ts', './endpoint'],
  'webhooks.ts': ['./webhook'],
  'openapi.ts': ['./openapi', './endpoint', './codec'],
  'opentelemetry.ts': ['./opentelemetry'],
  'fetch.ts': ['./fetch', './compiler', './endpoint'],
  'node.ts': ['./node', './compiler', './endpoint'],
  'index.ts': [...ofRoot, './diagnostics', './inferred.ts'],
  'xml.ts': ['./endpoint', './xml', './codec'],
  'json.ts': ['./body', './endpoint', './codec'],
  'client.ts': ['./client-anywhere.ts', './client'],
  'client-anywhere.ts': ['./client', './diagnostics', './endpoint'],
  'links.ts': ['./endpoint', './http'],
  'hal.ts': ['./endpoint', './http'],
  'cbor.ts': ['./body'],
  'inferred.ts': ofRoot,
  // the command line
  cli: [
    './openapi',
    './node',
    './compiler',
    './endpoint',
    './codec',
    './http',
    'fp-ts',
    'yaml',
    'node:',
  ],
  // a compiled tree to an OpenAPI document, and the endpoints that serve it; the renderer is read from its package
  openapi: [
    './compiler',
    './body',
    './endpoint',
    './xml',
    './codec',
    './regex-safety',
    './packages',
    './http',
    'fp-ts',
    'io-ts',
    'swagger-ui-dist',
    'node:',
  ],
  // runtimes: `node` runs requests in memory with `fetch`
  node: [
    './fetch',
    './interpreter',
    './compiler',
    './body',
    './endpoint',
    './codec',
    './http',
    'fp-ts',
    'busboy',
    'node:',
  ],
  // the server on runtimes with the Fetch standard, without modules of Node.js
  fetch: ['./interpreter', './compiler', './body', './endpoint', './codec', './http', 'fp-ts'],
  // signed requests and their receivers, which only the entry point and tests import
  webhook: ['./client', './store', './endpoint', './codec', './http', 'fp-ts', 'standardwebhooks'],
  // `node:fs` is for files that are sent by path, on platforms with a file system
  client: [
    './body',
    './diagnostics',
    './endpoint',
    './xml',
    './codec',
    './http',
    'fp-ts',
    'io-ts',
    'node:fs',
  ],
  // spans for requests and client calls
  opentelemetry: [
    './endpoint',
    './diagnostics',
    './packages',
    './http',
    '@opentelemetry/api',
    'node:diagnostics_channel',
  ],
  // runs for each request
  interpreter: [
    './compiler',
    './store',
    './body',
    './endpoint',
    './xml',
    './codec',
    './regex-safety',
    './diagnostics',
    './http',
    'fp-ts',
    'io-ts',
  ],
  // runs once: a tree of endpoints to plans
  compiler: [
    './store',
    './body',
    './endpoint',
    './xml',
    './codec',
    './regex-safety',
    './http',
    'fp-ts',
    'io-ts',
  ],
  // body formats, for the server and the client
  body: ['./endpoint', './xml', './codec', './http', 'fp-ts', 'io-ts', 'cborg'],
  // ready-made filters, which only entry points and tests import
  filter: ['./endpoint', './codec', './regex-safety', './packages', './http', 'fp-ts', 'jose'],
  // ready-made endpoints
  health: ['./endpoint', 'fp-ts', 'io-ts'],
  // publish-subscribe for event streams
  broadcast: ['./endpoint', './codec', './http', 'fp-ts', 'io-ts'],
  // state that requests share
  store: ['./endpoint', './codec', './http'],
  // declarations: plain values
  endpoint: ['./xml', './codec', './http', 'fp-ts', 'io-ts'],
  // XML documents <-> values
  xml: ['./codec', './regex-safety', './packages', './http', 'fp-ts', 'io-ts', 'fast-xml-parser'],
  // text and bytes <-> values
  codec: [
    './regex-safety',
    './packages',
    './http',
    'fp-ts',
    'io-ts',
    'temporal-polyfill',
    'lossless-json',
  ],
  // the ReDoS check of regular expressions
  'regex-safety': ['./packages', 'fp-ts', '@eslint-community/regexpp'],
  // channels on which requests and client calls are published
  diagnostics: ['./packages', 'node:diagnostics_channel'],
  // packages that are loaded on demand
  packages: ['node:module'],
  // concepts of HTTP, one file each
  http: ['fp-ts', 'cookie', 'mime'],
}

/** Packages that only certain files may import. `node:module` loads packages on first use. */
const exclusive: Readonly<Record<string, ReadonlyArray<string>>> = {
  cookie: ['cookie.ts'],
  jose: ['jwt.ts'],
  standardwebhooks: ['signature.ts'],
  cborg: ['cbor.ts'],
  mime: ['file-media-type.ts'],
  busboy: ['busboy-parser.ts', 'split-parts.ts'],
  'lossless-json': ['lossless.ts'],
  yaml: ['document-file.ts'],
  'fast-xml-parser': ['untyped-reader.ts'],
  'swagger-ui-dist/package.json': ['swagger-ui.ts'],
  'node:module': ['load-package.ts', 'busboy-parser.ts'],
  'node:assert/strict': ['test-context.ts'],
}

const layerOf = (path: string): string => path.split('/')[0] ?? path

/** Whether an entry of a layer covers an import. */
const covers =
  (imported: string) =>
  (entry: string): boolean =>
    imported === entry || imported.startsWith(entry.endsWith(':') ? entry : `${entry}/`)

/** Returns the imports of a file that its layer does not allow. */
const disallowedImports = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  const layer = layerOf(path)
  const allowed = layers[layer]
  if (allowed === undefined) return [`${path} is in no layer`]
  return importsOf(text)
    .map((from) => (from.startsWith('.') ? `./${posix.join(posix.dirname(path), from)}` : from))
    .filter(
      (from) =>
        ![`./${layer}`, ...allowed].some(covers(from)) ||
        !(exclusive[from] ?? ['']).some((name) => path.endsWith(name)),
    )
    .map((from) => `${path} imports ${from}`)
}

/** Returns the code of an entry point other than re-exports by name and of complete entry points. */
const otherCode = (text: string): string =>
  withoutComments(text)
    // `browser.ts` replaces some exports of `index.ts`
    .replace(/^export \* from '\.\/index\.ts'$/gm, '')
    .replace(/^export (?:type \* |(?:type )?\{[^}]*\} )from '[^']+'$/gm, '')
    .replace(/^export \* from '\.\/([^/']+)'$/gm, (all, name: string) =>
      name in layers ? '' : all,
    )
    .trim()

const files = filesBelow('src', '.ts')

describe('layers of src', (test) => {
  for (const layer of Object.keys(layers))
    test(`${layer} imports only what its layer allows`, () => {
      const inside = files.filter(({ path }) => layerOf(path) === layer)
      assert.ok(inside.length > 0, 'no files found')
      assert.equal(inside.flatMap(disallowedImports), [])
    })
  test('every file is in a layer', () => {
    assert.equal(
      files.map(({ path }) => path).filter((path) => layers[layerOf(path)] === undefined),
      [],
    )
    assert.ok(files.flatMap(({ text }) => importsOf(text)).length > 2 * files.length)
  })
  test('layers list only lower layers', () => {
    const names = Object.keys(layers)
    for (const [index, layer] of names.entries())
      for (const entry of layers[layer] ?? [])
        if (entry.startsWith('./'))
          assert.ok(names.indexOf(entry.slice(2)) > index, `${layer} ${entry}`)
  })
  // the linter detects cycles of values only
  test('the compiler imports nothing of the interpreter', () =>
    assert.equal(
      files
        .filter(({ path }) => path.startsWith('compiler/'))
        .flatMap(importedBy)
        .filter((path) => path.startsWith('interpreter/')),
      [],
    ))
  test('there are no import cycles, including type imports', () =>
    assert.equal(cycleIn(files), undefined))
  test('the subfolders of a layer import each other in one direction', () => {
    const cycle = folderCycleIn(files)
    assert.is(cycle, undefined, `import cycle of folders:\n${cycle}`)
  })
  test('the picture in src/README.md shows each folder, and that all its imports point downwards', () => {
    const folders = Object.keys(layers).filter(
      (name) => !name.endsWith('.ts') && name !== 'showcase',
    )
    const arrows = [
      ...readFileSync('src/README.md', 'utf8').matchAll(/^ {2}([\w-]+) --> ([\w-]+)$/gm),
    ]
    const below = (from: string): ReadonlyArray<string> =>
      arrows.flatMap(([, upper, lower = '']) => (upper === from ? [lower, ...below(lower)] : []))
    const entriesOf = (name: string): ReadonlyArray<string> =>
      (layers[name] ?? []).flatMap((entry) => (entry.startsWith('./') ? entry.slice(2) : []))
    assert.equal(new Set(below('entries')), new Set(folders))
    for (const name of folders)
      assert.equal(
        entriesOf(name).filter((lower) => !below(name).includes(lower)),
        [],
        name,
      )
  })
  test('entry points contain re-exports only', () => {
    const entryPoints = files.filter(({ path }) => !path.includes('/'))
    assert.ok(entryPoints.length >= 3)
    for (const { path, text } of entryPoints) assert.is(otherCode(text), '', path)
  })
})

describe('layers test: detects violations', (test) => {
  table(
    test,
    [
      ['http/a.ts', `import * as B from './b.ts'`, 0],
      ['http/a.ts', `import * as O from 'fp-ts/lib/Option.js'`, 0],
      ['http/a.ts', `import { x } from '../codec/b.ts'`, 1],
      ['http/a.ts', `import type { X } from '../codec/b.ts'`, 1],
      ['http/a.ts', `import {\n  x,\n  type Y,\n} from '../codec/b.ts'`, 1],
      ['http/a.ts', `export * from '../codec/b.ts'`, 1],
      ['http/a.ts', `export type { X } from '../codec/b.ts'`, 1],
      ['http/a.ts', `import '../codec/b.ts'`, 1],
      ['http/a.ts', `import "../codec/b.ts"`, 1],
      ['http/a.ts', `const b = await import('../codec/b.ts')`, 1],
      ['http/a.ts', `type B = import('../codec/b.ts').B`, 1],
      ['http/a.ts', `const b = createRequire(import.meta.url)('io-ts')`, 1],
      ['http/a.ts', `import * as t from 'io-ts'`, 1],
      ['http/a.ts', `import x from 'fp-tsx'`, 1],
      ['http/a.ts', `import http from 'http'`, 1], // the Node.js module, not the folder
      ['http/a.ts', `import x from '../../package.json'`, 1],
      ['http/a.ts', `import x from '../index.ts'`, 1],
      ['http/a.ts', ` * import x from '../codec/b.ts'\n// import('io-ts')`, 0], // examples in comments
      ['http/a.ts', `export const a = 1\nimport '../codec/b.ts'\nimport '../node/c.ts'`, 2],
      ['http/a.ts', `import { parse } from 'cookie'`, 1],
      ['http/cookie.ts', `import { parse } from 'cookie'`, 0],
      ['endpoint/a.ts', `import type { X } from '../interpreter/b.ts'`, 1],
      ['interpreter/a.ts', `import fs from 'node:fs'`, 1],
      ['interpreter/a.ts', `import { createRequire } from 'node:module'`, 1],
      ['packages/load-package.ts', `import { createRequire } from 'node:module'`, 0],
      ['node/a.ts', `import fs from 'node:fs/promises'`, 0],
      ['node/settings/a.ts', `import { x } from '../../http/b.ts'`, 0],
      ['node/a.ts', `import { call } from '../client/call.ts'`, 1],
      ['index.ts', `export { serve } from './node/serve.ts'`, 1],
      ['showcase/a.ts', `import { get } from 'espalier'\nimport { serve } from 'espalier/node'`, 0],
      ['showcase/a.ts', `import { get } from '../index.ts'`, 1],
      ['helpers/a.ts', '', 1],
    ] as const,
    (path, text, count) => assert.is(disallowedImports({ path, text }).length, count, text),
  )
  table(
    test,
    [
      [
        `/** An entry point. */\nexport { a } from './a.ts'\nexport type {\n  B,\n} from './b.ts'\n`,
        '',
      ],
      [`export const a = 1`, 'export const a = 1'],
      [`export * from './a.ts'`, `export * from './a.ts'`], // entry points list their names
      [`export * from './json.ts'`, ''],
      [`export * from './http/a.ts'`, `export * from './http/a.ts'`],
      [`import './a.ts'`, `import './a.ts'`],
    ] as const,
    (text, rest) => assert.is(otherCode(text), rest),
  )
})
