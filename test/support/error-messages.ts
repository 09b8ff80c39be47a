/** Compiles the wrong programs of `test/types` with a version of TypeScript, and checks each error message. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import type { Test, Hooks } from './describe.ts'
import type { Compiler } from './compilers.ts'
import { invalidTemplates, validTemplates } from './path-templates.ts'

/** An error that a `@ts-expect-error` comment announces. */
interface ExpectedError {
  readonly title: string
  /** The end of the last line of the message. */
  readonly ending: string
  /** The end of the last line of the message of TypeScript 5.9. */
  readonly endingOf59: string
  /**
   * The name of the file, the number of the line and the number of the column of the error, separated by colons, and those of the errors
   * that follow from it.
   */
  readonly positions: ReadonlyArray<string>
}

/** An error that the compiler has printed. */
interface PrintedError {
  readonly position: string
  readonly message: string
}

/**
 * The maximum length of a message in characters. A message has at most six lines with two types each, of which the compiler prints about
 * 160 characters.
 */
const maxLength = 2_100

const root = new URL('../../../', import.meta.url)
const types = new URL('test/types/', root)
const directive = '// @ts-expect-error '
const directiveOf59 = '// in TypeScript 5.9: '
const wrongPrograms = readdirSync(new URL('wrong-programs/', types)).map(
  (file) => `wrong-programs/${file}`,
)

const prefixError = 'a prefix applies to all paths below it: remove /*'

/** The templates of a table, as the arguments of functions. */
const templateLines = [
  "import { get, path, prefix } from '../../../src/index.ts'",
  ...['path', 'get', 'prefix'].flatMap((name) =>
    invalidTemplates.flatMap(([template, error]) => [
      `// the template ${JSON.stringify(template)} in ${name}`,
      directive + (name === 'prefix' && /\/\*+$/.test(template) ? prefixError : error),
      `${name}(${JSON.stringify(template)})`,
      `//${'^'.padStart(name.length)}`,
    ]),
  ),
  ...['path', 'get'].flatMap((name) =>
    validTemplates.map((template) => `${name}(${JSON.stringify(template)})`),
  ),
]

const files = [
  ...['messages.types.ts', ...wrongPrograms].map((file) => ({
    name: file.replace(/^.*\//, '').replace('.types.ts', ''),
    lines: readFileSync(new URL(file, types), 'utf8').split('\n'),
  })),
  { name: 'path-templates', lines: templateLines },
]

/** Returns the numbers of the columns of the errors in a line. */
const columnsOf = (line: string, next: string): ReadonlyArray<number> =>
  /^ *\/\/[ ^]*\^$/.test(next)
    ? [...next.matchAll(/\^/g)].map(({ index }) => index + 1)
    : [line.search(/\S/) + 1]

/** The errors that the programs announce. */
export const expectedErrors = files.flatMap(({ name, lines }) =>
  lines.flatMap((text, index): ReadonlyArray<ExpectedError> => {
    const start = text.indexOf(directive)
    if (start < 0) return []
    const ending = text.slice(start + directive.length)
    const [after = ''] = lines.slice(index + 1)
    const differs = after.trimStart().startsWith(directiveOf59)
    const first = index + (differs ? 2 : 1)
    const [line = '', next = ''] = lines.slice(first)
    const title = lines.slice(0, index).findLast((before) => /^\/\/ [^@ ]/.test(before)) ?? ''
    return [
      {
        title: title.slice('// '.length),
        ending,
        endingOf59: differs ? after.trimStart().slice(directiveOf59.length) : ending,
        positions: columnsOf(line, next).map((column) => `${name}:${first + 1}:${column}`),
      },
    ]
  }),
)

/** Compiles the files against the declarations of the package, and returns the errors that the compiler prints. */
const compile = async (compiler: Compiler, folder: URL): Promise<ReadonlyArray<PrintedError>> => {
  mkdirSync(folder, { recursive: true })
  for (const { name, lines } of files)
    writeFileSync(
      new URL(`${name}.ts`, folder),
      lines
        .map((line) => (line.trimStart().startsWith(directive) ? '//' : line))
        .join('\n')
        .replaceAll(/'(?:\.\.\/)+src\/(\w+)\.ts'/g, "'../../../src/$1.js'")
        .replaceAll(/'\.\/(\w+)\.types\.ts'/g, "'./$1.js'"),
    )
  const compilerOptions = { rootDir: '../../../..', noEmit: true, incremental: false }
  const base = '../../../../tsconfig.json'
  const names = files.map(({ name }) => `${name}.ts`)
  const settings = { extends: base, compilerOptions, files: names, include: [] }
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
  return new Promise((resolve) => {
    execFile(
      execPath,
      [compiler.path, '--project', fileURLToPath(folder), '--pretty', 'false', ...compiler.options],
      (_, stdout) =>
        resolve(
          stdout
            .trimEnd()
            .split(/\n(?=\S)/)
            .map(parseError),
        ),
    )
  })
}

const parseError = (text: string): PrintedError => {
  const [start, file, line, column] = /^.*?([\w-]+)\.ts\((\d+),(\d+)\): error TS\d+: /.exec(
    text,
  ) ?? ['']
  return { position: `${file}:${line}:${column}`, message: text.slice(start.length) }
}

/** Removes the end of a sentence, a string literal and a list of type arguments. */
const withoutClosing = (message: string): string => message.replace(/["'>.]+$/, '')

/** Whether a message ends with a text, in which `…` stands for any text. */
const endsWith = (message: string, ending: string): boolean => {
  const parts = withoutClosing(ending)
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`${parts.join('.*')}$`).test(withoutClosing(message))
}

/** Defines the tests of the error messages of a compiler. */
export const defineErrorMessages =
  (compiler: Compiler) =>
  (test: Test, { before, after }: Hooks): void => {
    const isOldest = compiler.version === '5.9'
    const folder = new URL(`dist/test/types/messages-${compiler.version}/`, root)
    // if overloads reject different arguments, TypeScript 5.9 reports the error at the start of the call
    const placeOf = (position: string): string =>
      isOldest ? position.slice(0, position.lastIndexOf(':')) : position
    let errors: ReadonlyArray<PrintedError> = []
    before(async () => {
      errors = await compile(compiler, folder)
    })
    after(() => rmSync(folder, { recursive: true, force: true }))

    for (const { title, positions, ...expected } of expectedErrors)
      test(`${title} (${positions.join(', ')}): the message ends as expected`, () => {
        const places = new Set(positions.map(placeOf))
        const messages = errors
          .filter(({ position }) => places.has(placeOf(position)))
          .map(({ message }) => message)
        const ending = isOldest ? expected.endingOf59 : expected.ending
        const printed = messages.join('\n\n')
        assert.ok(
          messages.some((message) => endsWith(message.split('\n').at(-1) ?? '', ending)),
          printed === '' ? 'no error' : printed,
        )
        for (const message of messages)
          assert.ok(message.length <= maxLength, `${message.length} characters: ${message}`)
      })
    test('there are no other errors', () =>
      assert.equal(
        errors.map(({ position }) => placeOf(position)).toSorted(),
        expectedErrors.flatMap(({ positions }) => positions.map(placeOf)).toSorted(),
      ))
  }
