/**
 * The house as a picture that is a test: what each place of `src` may import, the highest first. Nothing points upward, for
 * types neither, and every package is met only where it is shown.
 */
import { posix } from 'node:path'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import type { SourceFile } from './support/source.ts'
import { filesBelow, importsOf, withoutComments } from './support/source.ts'

const house: Readonly<Record<string, ReadonlyArray<string>>> = {
  // an application, which meets the package by its public names
  showcase: ['espalier', 'fp-ts', 'io-ts', 'node:'],
  // the doors: re-exports only
  'testing.ts': ['./node'],
  'browser.ts': ['./index.ts', './endpoint'],
  'node.ts': ['./node', './compiler', './endpoint'],
  'index.ts': [
    './filter',
    './health',
    './broadcast',
    './endpoint',
    './codec',
    './http',
    './inferred.ts',
  ],
  'xml.ts': ['./endpoint', './xml', './codec'],
  'json.ts': ['./endpoint', './codec'],
  'client.ts': ['./client-anywhere.ts', './client'],
  'client-anywhere.ts': ['./client', './endpoint'],
  'links.ts': ['./endpoint', './http'],
  'hal.ts': ['./endpoint', './http'],
  'inferred.ts': ['./filter', './health', './broadcast', './endpoint', './codec', './http'],
  // runtimes and other interpreters, which do not know each other
  node: [
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
  // `node:fs` is for files that are sent by their paths, where there are files
  client: ['./body', './endpoint', './xml', './codec', './http', 'fp-ts', 'io-ts', 'node:fs'],
  // runs for each request
  interpreter: [
    './compiler',
    './body',
    './endpoint',
    './xml',
    './codec',
    './regex-safety',
    './http',
    'fp-ts',
    'io-ts',
  ],
  // runs once: a tree of endpoints to plans
  compiler: [
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
  body: ['./endpoint', './xml', './codec', './http', 'fp-ts', 'io-ts'],
  // ready-made filters, which only the doors and tests know
  filter: ['./endpoint', './codec', './regex-safety', './http', 'fp-ts', 'jose'],
  // ready-made endpoints
  health: ['./endpoint', 'fp-ts', 'io-ts'],
  // what one publishes, everybody hears
  broadcast: ['./endpoint', './codec', './http', 'fp-ts', 'io-ts'],
  // descriptions: plain values, nothing runs
  endpoint: ['./xml', './codec', './http', 'fp-ts', 'io-ts'],
  // XML documents <-> values
  xml: ['./codec', './http', 'fp-ts', 'io-ts'],
  // text and octets <-> values
  codec: [
    './regex-safety',
    './http',
    'fp-ts',
    'io-ts',
    'temporal-polyfill',
    'lossless-json',
    'node:module',
  ],
  // the ReDoS check of regular expressions
  'regex-safety': ['fp-ts', '@eslint-community/regexpp', 'node:module'],
  // the nouns of HTTP
  http: ['fp-ts', 'cookie', 'mime'],
}

/** What files of some names alone may import. `node:module` is for packages that are loaded at first need. */
const alone: Readonly<Record<string, ReadonlyArray<string>>> = {
  cookie: ['cookie.ts'],
  jose: ['jose.ts'],
  mime: ['file-media-type.ts'],
  'lossless-json': ['lossless.ts'],
  busboy: ['split-parts.ts'],
  'node:module': ['temporal-api.ts', 'parser.ts', 'lossless.ts'],
  'node:assert/strict': ['test-context.ts'],
}

const placeOf = (path: string): string => path.split('/')[0] ?? path

/** Whether an entry of the picture covers what is imported. */
const covers =
  (imported: string) =>
  (entry: string): boolean =>
    imported === entry || imported.startsWith(entry.endsWith(':') ? entry : `${entry}/`)

/** The imports of a file that the picture does not show. */
const strangers = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  const place = placeOf(path)
  const allowed = house[place]
  if (allowed === undefined) return [`${path} has no place in the house`]
  return importsOf(text)
    .map((from) => (from.startsWith('.') ? `./${posix.join(posix.dirname(path), from)}` : from))
    .filter(
      (from) =>
        ![`./${place}`, ...allowed].some(covers(from)) ||
        !(alone[from] ?? ['']).some((name) => path.endsWith(name)),
    )
    .map((from) => `${path} imports ${from}`)
}

/** What a door has beside re-exports: by their names, unless they are all those of another door. */
const besideExports = (text: string): string =>
  withoutComments(text)
    // one door may be another with something in the place of something
    .replace(/^export \* from '\.\/index\.ts'$/gm, '')
    .replace(/^export (?:type \* |(?:type )?\{[^}]*\} )from '[^']+'$/gm, '')
    .replace(/^export \* from '\.\/([^/']+)'$/gm, (all, name: string) => (name in house ? '' : all))
    .trim()

/** The files that a file imports by their places, for types too. */
const importedBy = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  importsOf(text)
    .filter((from) => from.startsWith('.'))
    .map((from) => posix.join(posix.dirname(path), from))

/** A way from a file back to itself, where there is one: each that it passes, and the first again. */
const circleIn = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<string> | undefined => {
  const imported = new Map(sources.map((source) => [source.path, importedBy(source)]))
  const harmless = new Set<string>()
  const from = (path: string, way: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    const before = way.indexOf(path)
    if (before !== -1) return [...way.slice(before), path]
    if (harmless.has(path)) return undefined
    for (const next of imported.get(path) ?? []) {
      const circle = from(next, [...way, path])
      if (circle !== undefined) return circle
    }
    harmless.add(path)
    return undefined
  }
  for (const { path } of sources) {
    const circle = from(path, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

const files = filesBelow('src', '.ts')

describe('the house', (test) => {
  for (const place of Object.keys(house))
    test(`${place} imports what the picture shows`, () => {
      const inside = files.filter(({ path }) => placeOf(path) === place)
      assert.ok(inside.length > 0, 'there is nothing to see')
      assert.equal(inside.flatMap(strangers), [])
    })
  test('everything has a place', () => {
    assert.equal(
      files.map(({ path }) => path).filter((path) => house[placeOf(path)] === undefined),
      [],
    )
    assert.ok(files.flatMap(({ text }) => importsOf(text)).length > 2 * files.length)
  })
  test('nothing points upward in the picture itself', () => {
    const places = Object.keys(house)
    for (const [index, place] of places.entries())
      for (const entry of house[place] ?? [])
        if (entry.startsWith('./'))
          assert.ok(places.indexOf(entry.slice(2)) > index, `${place} ${entry}`)
  })
  // the linter knows of circles of values only
  test('no file imports itself by way of others, for types neither', () =>
    assert.equal(circleIn(files), undefined))
  test('doors are re-exports only', () => {
    const doors = files.filter(({ path }) => !path.includes('/'))
    assert.ok(doors.length >= 3)
    for (const { path, text } of doors) assert.is(besideExports(text), '', path)
  })
})

describe('the house: what is not shown is found', (test) => {
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
      ['http/a.ts', `import http from 'http'`, 1], // a module of Node, not our folder
      ['http/a.ts', `import x from '../../package.json'`, 1],
      ['http/a.ts', `import x from '../index.ts'`, 1],
      ['http/a.ts', ` * import x from '../codec/b.ts'\n// import('io-ts')`, 0], // examples in comments
      ['http/a.ts', `export const a = 1\nimport '../codec/b.ts'\nimport '../node/c.ts'`, 2],
      ['http/a.ts', `import { parse } from 'cookie'`, 1],
      ['http/cookie.ts', `import { parse } from 'cookie'`, 0],
      ['endpoint/a.ts', `import type { X } from '../interpreter/b.ts'`, 1],
      ['interpreter/a.ts', `import fs from 'node:fs'`, 1],
      ['interpreter/a.ts', `import { createRequire } from 'node:module'`, 1],
      ['regex-safety/parser.ts', `import { createRequire } from 'node:module'`, 0],
      ['node/a.ts', `import fs from 'node:fs/promises'`, 0],
      ['node/settings/a.ts', `import { x } from '../../http/b.ts'`, 0],
      ['node/a.ts', `import { call } from '../client/call.ts'`, 1],
      ['index.ts', `export { serve } from './node/serve.ts'`, 1],
      ['showcase/a.ts', `import { get } from 'espalier'\nimport { serve } from 'espalier/node'`, 0],
      ['showcase/a.ts', `import { get } from '../index.ts'`, 1],
      ['helpers/a.ts', '', 1],
    ] as const,
    (path, text, count) => assert.is(strangers({ path, text }).length, count, text),
  )
  table<readonly [imports: Readonly<Record<string, string>>, circle: string | undefined]>(
    test,
    [
      [{ 'a.ts': './b.ts', 'b.ts': '' }, undefined],
      [{ 'a.ts': './a.ts' }, 'a.ts a.ts'],
      [{ 'a.ts': './b.ts', 'b.ts': './a.ts' }, 'a.ts b.ts a.ts'],
      [{ 'a.ts': './b/c.ts', 'b/c.ts': './d.ts', 'b/d.ts': './c.ts' }, 'b/c.ts b/d.ts b/c.ts'],
      [
        { 'a/b.ts': '../c.ts', 'c.ts': './a/d.ts', 'a/d.ts': './b.ts' },
        'a/b.ts c.ts a/d.ts a/b.ts',
      ],
      [{ 'a.ts': './c.ts', 'b.ts': './c.ts', 'c.ts': './d.ts', 'd.ts': '' }, undefined],
    ],
    (imports, circle) => {
      const sources = Object.entries(imports).map(([path, from]) => ({
        path,
        text: from === '' ? '' : `import type { X } from '${from}'`,
      }))
      assert.is(circleIn(sources)?.join(' '), circle)
    },
  )
  table(
    test,
    [
      [`/** A door. */\nexport { a } from './a.ts'\nexport type {\n  B,\n} from './b.ts'\n`, ''],
      [`export const a = 1`, 'export const a = 1'],
      [`export * from './a.ts'`, `export * from './a.ts'`], // a door says what it lets through
      [`export * from './json.ts'`, ''],
      [`export * from './http/a.ts'`, `export * from './http/a.ts'`],
      [`import './a.ts'`, `import './a.ts'`],
    ] as const,
    (text, rest) => assert.is(besideExports(text), rest),
  )
})
