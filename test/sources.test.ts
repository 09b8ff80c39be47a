/** Rules for the text of sources, tests, compiled output and lock files. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import type { SourceFile } from './support/source.ts'
import {
  codeLines,
  filesBelow,
  importsOf,
  withoutComments,
  withoutStrings,
} from './support/source.ts'

const assertNone = (files: ReadonlyArray<SourceFile>): void =>
  assert.equal(
    files.map(({ path }) => path),
    [],
  )

const suppressions = /@ts-(?:ignore|nocheck|expect-error)|(?:oxlint|eslint)-disable/

const untyped = (text: string): boolean => /\bany\b/.test(withoutStrings(text))

/** Returns the lines with a type assertion other than `as const`. */
const casts = (text: string): ReadonlyArray<string> =>
  withoutStrings(text)
    .replace(/^(?:import|export)\b[^'"=();]*from ''$/gm, '')
    .split('\n')
    .filter((line) => /(?:[\w)\]}>'`]|^ *) as (?!const\b)[\w({['`]/.test(line))
    .map((line) => line.trim())

/**
 * The uses of `instanceof`, each with the reason why no value of another realm and of no other copy of the package is tested. For all
 * other values, `http/platform-value.ts` has predicates.
 */
const classTests: Readonly<Record<string, string>> = {
  'http/platform-value.ts Error': 'fast path, followed by a test of the tag',
  'http/platform-value.ts Uint8Array': 'fast path, followed by a test of the tag',
  'http/platform-value.ts Promise': 'fast path, followed by a test for `then`',
  'http/platform-value.ts Map': 'fast path, followed by a test of the tag',
  'http/platform-value.ts Set': 'fast path, followed by a test of the tag',
  'body/formats/cbor.ts LimitError': 'thrown and caught in this file',
  'cli/exit-code.ts CommandError': 'thrown only by the command, which is one bundle',
  'fetch/fetch-handler.ts UsedBodyError': 'thrown by the runner that this handler created',
  'interpreter/rewritten-exchange.ts RewrittenExchange': 'created only in this file',
  'node/files/file-system.ts UnsafeDirectoryError': 'thrown by the function that is called',
  'node/node-request.ts NodeExchange': 'found in a WeakMap of this copy',
  'openapi/mock/text-from-pattern.ts ParserUnavailable': 'thrown by the function that is called',
  'openapi/operation/possible-errors.ts mapper.scope.of':
    'compares two classes, as the selection of a mapper does',
  'regex-safety/analyze.ts TooAmbiguous': 'thrown by the function that is called',
  'regex-safety/redos-check.ts Parser.ParserUnavailable': 'thrown by the function that is called',
}

/** Returns the right-hand sides of `instanceof`, also in generated code, but not in comments. */
const classTestsIn = (text: string): ReadonlyArray<string> =>
  [...withoutComments(text).matchAll(/\binstanceof\s+([\w.]+)/g)].map(([, name = '']) => name)

describe('sources', (test) => {
  const sources = filesBelow('src', '.ts')
  test('no file has more than 300 lines of code', () =>
    assertNone(sources.filter(({ text }) => codeLines(text).length > 300)))
  test('file names are in kebab-case and specific', () =>
    assertNone(
      sources.filter(({ path }) =>
        path
          .split('/')
          .some(
            (name) =>
              !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.ts)?$/.test(name) ||
              /^(?:utils?|common|misc|helpers?)(?:\.ts)?$/.test(name),
          ),
      ),
    ))
  test('each file starts with a doc comment', () =>
    assertNone(sources.filter(({ text }) => !/^\/\*\*\s/.test(text))))
  test('no comment suppresses a check', () =>
    assertNone(sources.filter(({ text }) => suppressions.test(text))))
  test('the type any is not used', () => assertNone(sources.filter(({ text }) => untyped(text))))
  test('only endpoint/ has type assertions', () => {
    const asserted = sources.filter(({ text }) => casts(text).length > 0)
    assert.ok(asserted.length > 0, 'no files found')
    assertNone(asserted.filter(({ path }) => !path.startsWith('endpoint/')))
  })
})

describe('instanceof', (test) => {
  // an application tests the classes of its own realm
  const sources = filesBelow('src', '.ts').filter(({ path }) => !path.startsWith('showcase/'))
  test('is not used for values of another realm', () =>
    assert.equal(
      [
        ...new Set(
          sources.flatMap(({ path, text }) => classTestsIn(text).map((name) => `${path} ${name}`)),
        ),
      ].toSorted(),
      Object.keys(classTests).toSorted(),
    ))
  test('is not used by functions of fp-ts that convert thrown values', () =>
    assertNone(
      sources.filter(
        ({ path, text }) => /\bE\.toError\b/.test(text) && !path.startsWith('regex-safety/'),
      ),
    ))
})

describe('sources test: detects violations', (test) => {
  table(
    test,
    [
      ['if (a instanceof Error) return', ['Error']],
      ['const text = `if (!(u instanceof Set)) return`', ['Set']],
      ['/** Uses `instanceof Error`. */\n// a instanceof Error\nconst a = 1', []],
    ] as const,
    (text, names) => assert.equal(classTestsIn(text), [...names]),
  )
  table(
    test,
    [
      ['const a = b as C', 1],
      ['const a = b as unknown as C', 1],
      ['const a = (b) as { readonly c: 1 }', 1],
      ['  return f(b as readonly string[])', 1],
      ['}) as Endpoint<S>', 1],
      ["const a = 'x' as X", 1],
      ['const a = `x` as X', 1],
      ['const a = [1, 2] as const', 0],
      ["import * as O from 'fp-ts/lib/Option.js'", 0],
      ["import {\n  a as b,\n} from './c.ts'", 0],
      ["export { a as b } from './c.ts'", 0],
      ['/** The text as it is. */\n// the same as A\nconst a = 1', 0],
      ["const a = 'the same as A'", 0],
      ['const a = `as B`', 0],
      ['const a = `${b} as C ${`d as ${e}`}`', 0],
      ['const a = `${b as C} d`', 1],
    ] as const,
    (text, count) => assert.is(casts(text).length, count),
  )
  table(
    test,
    [
      ['const a: any = 1', true],
      ['type A = Record<string, any>', true],
      ["const a = 'any'", false],
      ['/** Of any type. */\nconst a = 1', false],
      ['const anything = many', false],
    ] as const,
    (text, expected) => assert.is(untyped(text), expected),
  )
})

describe('tests', (test) => {
  const tests = filesBelow('test', '.ts')
  test('each test file registers its tests with test/support/describe.ts', () => {
    assert.ok(tests.length > 50, 'no files found')
    assertNone(
      tests.filter(
        ({ path, text }) =>
          importsOf(text).includes('uvu') &&
          !['support/run-files.ts', 'support/describe.ts'].includes(path),
      ),
    )
  })
  test('no test is skipped or exclusive', () =>
    assertNone(tests.filter(({ text }) => /\b(?:skip|only)\(/.test(withoutStrings(text)))))
})

describe('compiled output', (test) => {
  const emitted = ['.js', '.d.ts'].flatMap((ending) =>
    filesBelow(fileURLToPath(new URL('../src', import.meta.url)), ending),
  )
  const imported = emitted.flatMap(({ path, text }) =>
    importsOf(text).map((from) => ({ path: `${path} imports ${from}`, text: from })),
  )
  test('is complete', () => {
    assert.ok(emitted.length > 200 && imported.length > 500, 'no files found')
  })
  // fp-ts has no exports map, so Node.js resolves complete file names only
  test('imports of fp-ts name existing files', () =>
    assertNone(imported.filter(({ text }) => /^fp-ts(?!\/lib\/\w+\.js$)/.test(text))))
  test('imports of io-ts name its entry point only', () =>
    assertNone(imported.filter(({ text }) => text.startsWith('io-ts/'))))
})

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
interface LockedPackage {
  readonly resolved?: string
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly optionalDependencies?: Names
}
type Names = Readonly<Record<string, string>>

/** Returns the folders in which Node.js looks for the dependencies of a package. */
const lookupFolders = (path: string): ReadonlyArray<string> => {
  const parts = path.split('node_modules/')
  return parts.map((_, at) =>
    at === 0 ? `${path}/` : parts.slice(0, parts.length - at).join('node_modules/'),
  )
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

for (const folder of ['.', 'bench', 'test/openapi-tools', 'test/runners', 'test/runtimes'])
  describe(`the lock file of ${folder}`, (test) => {
    const { packages } = read(`${folder}/package-lock.json`) as Lock
    const { '': root, ...locked } = packages

    test('has the dependencies of package.json', () => {
      const { dependencies, devDependencies } = read(`${folder}/package.json`) as LockedPackage
      assert.equal([root?.dependencies, root?.devDependencies], [dependencies, devDependencies])
    })
    test('has no registry URLs', () =>
      assert.equal(
        Object.entries(locked).filter(([, { resolved }]) => resolved !== undefined),
        [],
      ))
    // `npm ci` rejects a lock file that lacks the optional packages of other platforms
    test('has an entry for every optional dependency', () =>
      assert.equal(
        Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
          Object.keys(optionalDependencies).filter((name) =>
            lookupFolders(path).every((one) => locked[`${one}node_modules/${name}`] === undefined),
          ),
        ),
        [],
      ))
  })
