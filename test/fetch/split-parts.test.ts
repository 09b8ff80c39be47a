/** Splitting of multipart bodies without busboy, compared with the parser of the server on Node.js. */
import * as fc from 'fast-check'
import { deepStrictEqual } from 'node:assert/strict'
import { isHttpError } from '../../src/endpoint/http-error.ts'
import { createPartParser } from '../../src/body/multipart/part-parser.ts'
import { createSplitter } from '../../src/interpreter/request-body/multipart/parts.ts'
import type { SplitParts } from '../../src/interpreter/exchange.ts'
import { partSplitter } from '../../src/node/multipart/split-parts.ts'
import { describe, repetitions, table } from '../support/describe.ts'

const onNode = partSplitter()
const splitParts = createSplitter(() => createPartParser, false)

const limits = {
  headerSize: 40,
  headerSizeName: 'the size',
  headerCount: 2,
  headerCountName: 'the count',
}

async function* chunksOf(content: string, size: number): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < content.length; at += size)
    yield await Promise.resolve(Buffer.from(content.slice(at, at + size), 'latin1'))
}

/** Returns the parts, and the status of the error that ends the body. */
const resultOf = async (split: SplitParts, content: string, size: number): Promise<unknown> => {
  const parts: unknown[] = []
  try {
    for await (const { headers, body } of split(chunksOf(content, size), 'XX', limits)) {
      const chunks: Uint8Array[] = []
      parts.push(headers)
      for await (const chunk of body) chunks.push(chunk)
      parts.push(Buffer.concat(chunks).toString('latin1'))
    }
    return { parts }
  } catch (error) {
    if (isHttpError(error)) return [error.status, error.detail]
    throw error
  }
}

/** Returns the parts of a result, or `undefined` for a body that was rejected. */
const acceptedParts = (result: unknown): unknown => (Array.isArray(result) ? undefined : result)

const sizes = [1, 2, 3, 7, 1000]

describe('multipart bodies without busboy', (test) => {
  table(
    test,
    [
      ['two parts', '--XX\r\na: 1\r\n\r\none\r\n--XX\r\nb: 2\r\n\r\ntwo\r\n--XX--\r\n'],
      ['a preamble and an epilogue', 'pre\r\n--XX\r\na: 1\r\n\r\none\r\n--XX--\r\n--XX\r\nx'],
      ['no parts', '--XX--'],
      ['an empty body', ''],
      ['no delimiter', 'abc'],
      ['no closing delimiter', '--XX\r\na: 1\r\n\r\none\r\n--XX\r\n'],
      ['a body that ends in a part', '--XX\r\na: 1\r\n\r\none'],
      ['a body that ends in a header', '--XX\r\na: 1'],
      ['a body that ends after a delimiter', '--XX'],
      ['a part without headers', '--XX\r\n\r\none\r\n--XX--'],
      ['an empty part', '--XX\r\na: 1\r\n\r\n\r\n--XX--'],
      ['a part without a line break before the delimiter', '--XX\r\na: 1\r\n\r\n--XX--'],
      ['a header without a blank line', '--XX\r\na: 1\r\n--XX--\r\n\r\n'],
      ['a delimiter in a header section', '--XX\r\na: 1\r\n--XX\r\nb: 1\r\n\r\nx\r\n--XX--'],
      ['a delimiter that looks like a header', '--XX\r\n--XXa: 1\r\n\r\n\r\n--XX--'],
      [
        'a delimiter at the end of the largest header section',
        `--XX\r\na: ${'1'.repeat(36)}\r\n--XX\r\n${'1'.repeat(99)}`,
      ],
      [
        'a delimiter after the largest header section',
        `--XX\r\na: ${'1'.repeat(40)}\r\n--XX\r\n${'1'.repeat(99)}`,
      ],
      ['whitespace after a delimiter', '--XX \t\r\na: 1\r\n\r\none\r\n--XX-- \t\r\n'],
      ['text after a delimiter', '--XX\r\na: 1\r\n\r\none\r\n--XXY\r\n--XX--'],
      ['whitespace before closing hyphens', '--XX\r\na: 1\r\n\r\none\r\n--XX --\r\n'],
      ['one closing hyphen', '--XX\r\na: 1\r\n\r\none\r\n--XX-\r\n--XX--'],
      ['a line feed after a delimiter', '--XX\na: 1\r\n\r\none\r\n--XX--'],
      ['beginnings of delimiters', '--XX\r\na: 1\r\n\r\n\r\n--X\r\r\n-\r\n--Y\r\n\r\n--XX--'],
      ['a malformed header', '--XX\r\na\r\n\r\none\r\n--XX--'],
      ['a folded header', '--XX\r\na: 1\r\n 2\r\n\r\none\r\n--XX--'],
      ['a header section of the maximum size', `--XX\r\na: ${'1'.repeat(35)}\r\n\r\nx\r\n--XX--`],
      ['a larger header section', `--XX\r\na: ${'1'.repeat(36)}\r\n\r\nx\r\n--XX--`],
      ['a header section without an end', `--XX\r\na: ${'1'.repeat(99)}`],
      ['too many headers', '--XX\r\na: 1\r\nb: 1\r\nc: 1\r\n\r\nx\r\n--XX--'],
    ] as const,
    async (_, content) => {
      const expected = await resultOf(onNode, content, 1000)
      for (const size of sizes) deepStrictEqual(await resultOf(splitParts, content, size), expected)
    },
  )
  test('arbitrary bodies are read or rejected as on Node.js', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            '--XX',
            '\r\n--XX',
            '\r\n',
            '--',
            'a: 1',
            'text',
            '1'.repeat(20),
            '\r',
            '\n',
            '-',
            ' ',
            '\r\n\r\n',
          ),
          { maxLength: 20 },
        ),
        fc.integer({ min: 1, max: 9 }),
        async (tokens, size) => {
          const content = `--XX\r\n${tokens.join('')}\r\n--XX--`
          // which of several reasons is reported may differ
          deepStrictEqual(
            acceptedParts(await resultOf(splitParts, content, size)),
            acceptedParts(await resultOf(onNode, content, size)),
          )
        },
      ),
      { numRuns: repetitions(50, 2000) },
    ))
  test('a part that is not read is skipped', async () => {
    const names: unknown[] = []
    const content = `--XX\r\na: 1\r\n\r\n${'one'.repeat(50)}\r\n--XX\r\nb: 2\r\n\r\ntwo\r\n--XX--`
    for await (const { headers } of splitParts(chunksOf(content, 5), 'XX', limits))
      names.push(headers[0])
    deepStrictEqual(names, ['a', 'b'])
  })
  test('a part above its limit fails as soon as the limit is exceeded', async () => {
    let requested = 0
    async function* endless(): AsyncGenerator<Uint8Array, undefined> {
      yield Buffer.from('--XX\r\n\r\n')
      for (;;) {
        requested++
        yield await Promise.resolve(Buffer.from('x'.repeat(100)))
      }
    }
    const [part] = [await splitParts(endless(), 'XX', limits).next()]
    const body = part.value?.body.limit(250, () => new RangeError('too large'))
    const read = async (): Promise<void> => {
      for await (const _ of body ?? []);
    }
    await read().then(
      () => Promise.reject(new Error('resolved')),
      (error: unknown) => deepStrictEqual(error, new RangeError('too large')),
    )
    deepStrictEqual(
      [requested <= 4, await body?.next().catch(String)],
      [true, 'RangeError: too large'],
    )
  })
  test('the rest of the body is cancelled if the iteration ends early', async () => {
    let isClosed = false
    async function* chunks(): AsyncGenerator<Uint8Array, undefined> {
      try {
        for (;;) yield await Promise.resolve(Buffer.from('--XX\r\n\r\nx\r\n'))
      } finally {
        isClosed = true
      }
    }
    for await (const _ of splitParts(chunks(), 'XX', limits)) break
    deepStrictEqual(isClosed, true)
  })
})
