/** Compiles `messages.types.ts` without its `@ts-expect-error` comments, and compares the last line of each error message. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

/** A `@ts-expect-error` comment, which follows a comment that describes the error. */
interface ExpectedError {
  readonly title: string
  /** The end of the error message. */
  readonly remedy: string
  /** Number of the line that follows the comments. */
  readonly line: number
}

const root = new URL('../../../', import.meta.url)
const lines = readFileSync(new URL('test/types/messages.types.ts', root), 'utf8').split('\n')

const directive = '// @ts-expect-error '
const expectedErrors = lines.flatMap((line, index): ReadonlyArray<ExpectedError> => {
  if (!line.startsWith(directive)) return []
  const title = lines[index - 1]?.slice('// '.length) ?? ''
  return [{ title, remedy: line.slice(directive.length), line: index + 2 }]
})

/** Compiles the file against the declarations of the package, and returns the lines that the compiler prints. */
const compile = async (folder: URL): Promise<ReadonlyArray<string>> => {
  mkdirSync(folder, { recursive: true })
  const source = lines
    .map((line) => (line.startsWith(directive) ? '//' : line))
    .join('\n')
    .replaceAll(/'..\/..\/src\/(\w+)\.ts'/g, "'../../../src/$1.js'")
  writeFileSync(new URL('messages.ts', folder), source)
  const compilerOptions = { rootDir: '../../../..', noEmit: true, incremental: false }
  const base = '../../../../tsconfig.json'
  const settings = { extends: base, compilerOptions, files: ['messages.ts'], include: [] }
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
  return new Promise((resolve) => {
    execFile(
      execPath,
      [compiler, '--project', fileURLToPath(folder), '--pretty', 'false'],
      (_, stdout) => resolve(stdout.trimEnd().split('\n')),
    )
  })
}

/** Returns the line number of an error, if the compiler has printed the start of an error message. */
const lineOf = (text: string): number | undefined => {
  const [, line] = /\((\d+),\d+\): error/.exec(text) ?? []
  return line === undefined ? undefined : Number(line)
}

/** Returns the last line of each error message, by the number of the line with the error. */
const lastLines = (output: ReadonlyArray<string>): ReadonlyMap<number, string> => {
  const byLine = new Map<number, string>()
  let current = 0
  for (const text of output) {
    current = lineOf(text) ?? current
    byLine.set(current, text)
  }
  return byLine
}

/** Removes the end of a sentence, a string literal and a list of type arguments. */
const withoutClosing = (message: string): string => message.replace(/["'>.]+$/, '')

describe('error messages of TypeScript', (test, { before, after }) => {
  const folder = new URL('dist/test/types/messages/', root)
  let messages: ReadonlyMap<number, string> = new Map()
  let errorLines: ReadonlyArray<number | undefined> = []
  before(async () => {
    const output = await compile(folder)
    messages = lastLines(output)
    errorLines = output.map(lineOf).filter((line) => line !== undefined)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const { title, remedy, line } of expectedErrors)
    test(`${title}: the message ends as expected`, () => {
      const message = messages.get(line) ?? 'no error'
      assert.ok(withoutClosing(message).endsWith(withoutClosing(remedy)), message)
    })
  test('there are no other errors', () => {
    const expectedLines = expectedErrors.map(({ line }) => line)
    assert.equal(errorLines, expectedLines)
  })
})
