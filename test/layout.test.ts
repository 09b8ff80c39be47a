/** Rules for the layout of `src`: sizes of folders and files, unique names, module-level state. */
import { posix } from 'node:path'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import type { SourceFile } from './support/source.ts'
import { codeLines, filesBelow, importsOf, withoutStrings } from './support/source.ts'

const files = filesBelow('src', '.ts')
const folderOf = (path: string): string => posix.dirname(path)
const isEntryPoint = ({ path }: SourceFile): boolean => !path.includes('/')
const isShowcase = ({ path }: SourceFile): boolean => path.startsWith('showcase/')

/** Folders with one file for each RFC concept or public combinator. */
const catalogues = ['http', 'endpoint']

/** Variables that modules assign. Each one is a cache, or belongs to the process. */
const moduleVariables: ReadonlyArray<string> = [
  'codec/compiled/select-back-end.ts allowed', // whether code generation is disabled, which does not change
  'codec/json/lossless.ts loaded', // optional parsers and packages are loaded once
  'codec/structure/genuine.ts knownSources',
  'codec/temporal/temporal-api.ts loaded',
  'http/file-media-type.ts table',
  'node/exchange/request-body.ts port', // a message channel that releases memory
  'node/shutdown/process-shutdown.ts firstSignal', // signals concern the whole process
  'regex-safety/expression-metrics.ts loaded',
]

const groupBy = <A>(
  values: ReadonlyArray<A>,
  keyOf: (value: A) => string,
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, A[]>()
  for (const value of values) {
    const key = keyOf(value)
    groups.set(key, [...(groups.get(key) ?? []), value])
  }
  return groups
}

const repeated = <A>(
  values: ReadonlyArray<A>,
  keyOf: (value: A) => string,
): ReadonlyArray<string> =>
  [...groupBy(values, keyOf)].flatMap(([key, group]) => (group.length > 1 ? [key] : []))

const exportedTypes = (text: string): ReadonlyArray<string> =>
  [
    ...withoutStrings(text).matchAll(
      /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm,
    ),
  ].map(([, name = '']) => name)

/** Returns the variables of a module. The formatter writes them after a blank line or a comment. */
const moduleLets = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(declaration)].map(([, name = '']) => name)

const declaration = /(?:^|\n\n|\*\/\n|\n\/\/[^\n]*\n)(?:export )?(?:let|var) (\w+)/g

const writesGlobal = (text: string): boolean =>
  /globalThis(?:\.\w+|\[[^\]]*\])\s*=[^=]|(?:Reflect\.(?:set|defineProperty)|Object\.(?:assign|definePropert(?:y|ies)))\(\s*globalThis\b/.test(
    withoutStrings(text),
  )

describe('layout of src', (test) => {
  const sizes = files
    .filter((file) => !isShowcase(file))
    .map((file) => ({ ...file, lines: codeLines(file.text).length }))
    .toSorted((a, b) => a.lines - b.lines)

  test('has at most 670 files', () => {
    assert.ok(files.length > 200, 'no files found')
    assert.ok(files.length <= 670, String(files.length))
  })
  test('the median file has 60 to 100 lines of code', () => {
    const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0
    assert.ok(median >= 60 && median <= 100, String(median))
  })
  test('fewer than 20 files have 10 lines of code or fewer', () =>
    assert.ok(sizes.filter(({ lines }) => lines <= 10).length < 20))
  test('a folder has at most 20 files, a catalogue 48', () =>
    assert.equal(
      [...groupBy(files, ({ path }) => folderOf(path))].flatMap(([folder, { length }]) =>
        length > (catalogues.includes(folder) ? 48 : 20) ? [`${folder}: ${length}`] : [],
      ),
      [],
    ))
  test('file names are unique in a top-level folder', () => {
    for (const [folder, group] of groupBy(files, ({ path }) => path.split('/')[0] ?? ''))
      assert.equal(
        repeated(group, ({ path }) => posix.basename(path)),
        [],
        folder,
      )
  })
  test('names of exported types are unique', () =>
    assert.equal(
      repeated(
        files.flatMap(({ text }) => exportedTypes(text)),
        (name) => name,
      ),
      [],
    ))
  test('a private file has at least 25 lines of code, or two importers', () => {
    const importers = new Map<string, SourceFile[]>()
    for (const file of files)
      for (const from of importsOf(file.text)) {
        if (!from.startsWith('.')) continue
        const path = posix.join(folderOf(file.path), from)
        importers.set(path, [...(importers.get(path) ?? []), file])
      }
    assert.equal(
      sizes.flatMap((file) => {
        const { path, lines } = file
        const importing = importers.get(path) ?? []
        // a body format is a file of its own, however short
        const isExempt =
          isEntryPoint(file) || importing.some(isEntryPoint) || path.startsWith('body/formats/')
        return isExempt || lines >= 25 || importing.length > 1 ? [] : [path]
      }),
      [],
    )
  })
  test('modules assign only the listed variables', () =>
    assert.equal(
      files.flatMap(({ path, text }) => moduleLets(text).map((name) => `${path} ${name}`)),
      [...moduleVariables],
    ))
  test('only the mark that disables serve is written to globalThis', () =>
    assert.equal(
      files.filter(({ text }) => writesGlobal(text)).map(({ path }) => path),
      ['node/disable-serve.ts'],
    ))
})

describe('layout test: detects violations', (test) => {
  table(
    test,
    [
      ['let a = 1', ['a']],
      ['export let a: A | undefined', ['a']],
      ['var a = 1', ['a']],
      ['const f = () => {\n  let a = 1\n}', []],
      ["const code = 'let a = 1'", []],
    ] as const,
    (text, expected) => assert.equal(moduleLets(text), expected),
  )
  table(
    test,
    [
      ['globalThis.a = 1', true],
      ['globalThis[a] = 1', true],
      ['Reflect.set(globalThis, a, 1)', true],
      ['Object.assign(globalThis, { a })', true],
      ['globalThis.a === 1', false],
      ['Reflect.has(globalThis, a)', false],
    ] as const,
    (text, expected) => assert.is(writesGlobal(text), expected),
  )
  table(
    test,
    [
      ['export interface A {}', ['A']],
      ['export type A = B', ['A']],
      ['export class A {}', ['A']],
      ['interface A {}', []],
      ["export type { A } from './a.ts'", []],
    ] as const,
    (text, expected) => assert.equal(exportedTypes(text), expected),
  )
})
