/** What servers and clients share when they read multipart bodies, with the parser of Node.js and with that of the other runtimes. */
import * as assert from 'uvu/assert'
import { createPartParser } from '../../../src/body/multipart/part-parser.ts'
import type { RawPart, MultipartSource } from '../../../src/body/multipart/read-parts.ts'
import { readParts } from '../../../src/body/multipart/read-parts.ts'
import { loadParser } from '../../../src/node/multipart/split-parts.ts'
import { describe, table } from '../../support/describe.ts'

const limits = {
  headerSize: 300,
  headerSizeName: 'the size',
  headerCount: 5,
  headerCountName: 'the count',
}
const errors = {
  malformed: (detail: string) => new SyntaxError(detail),
  tooLarge: (detail: string) => new RangeError(detail),
}

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < text.length; at += size)
    yield await Promise.resolve(new TextEncoder().encode(text.slice(at, at + size)))
}

const textOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
  return text
}

const twoParts = '--XX\r\na: 1\r\n\r\none\r\n--XX\r\nb: 2\r\n\r\ntwo\r\n--XX--\r\n'

for (const [name, load] of [
  ['busboy', loadParser],
  ['the parser without dependencies', () => createPartParser],
] as const) {
  const read = (
    text: string,
    size: number,
    options: Partial<MultipartSource> = {},
  ): AsyncGenerator<RawPart, undefined> =>
    readParts({
      chunks: inChunks(text, size),
      boundary: 'XX',
      loadParser: load,
      limits,
      errors,
      ...options,
    })

  const resultOf = async (...args: Parameters<typeof read>): Promise<unknown> => {
    const parts: unknown[] = []
    try {
      for await (const { headers, body } of read(...args)) parts.push([headers, await textOf(body)])
    } catch (error) {
      parts.push(String(error))
    }
    return parts
  }

  describe(`multipart bodies, read with ${name}`, (test) => {
    test('concurrent reads of a part receive its chunks in order', async () => {
      const { value } = await read(twoParts, 2).next()
      const body = value?.body ?? inChunks('', 1)
      const results = await Promise.all(Array.from({ length: 9 }, () => body.next()))
      const texts = results.map((result) => new TextDecoder().decode(result.value))
      assert.is(texts.join(''), 'one')
    })
    test('chunks are freed in order, each after its last byte has been read', async () => {
      for (let size = 1; size < twoParts.length; size++) {
        let freed = ''
        const free = (chunk: Uint8Array): void => {
          freed += new TextDecoder().decode(chunk)
          chunk.fill(120)
        }
        const result = await resultOf(twoParts, size, { free, isDrained: true })
        assert.equal(result, [
          [['a', '1'], 'one'],
          [['b', '2'], 'two'],
        ])
        assert.is(freed, twoParts, `chunks of ${size} bytes`)
      }
    })
    test('a part that is read after the iteration has been closed is not complete', async () => {
      const kept: RawPart[] = []
      for await (const part of read(`--XX\r\n\r\n${'one'.repeat(99)}\r\n--XX--`, 30)) {
        kept.push(part)
        break
      }
      const message = await textOf(kept[0]?.body ?? inChunks('', 1)).catch(String)
      assert.match(message, 'SyntaxError: unexpected end of the body')
    })
    test('an error is repeated for each read of the part and for the next part', async () => {
      const parts = read('--XX\r\na: 1\r\n\r\none, two, three', 1000)
      const { value } = await parts.next()
      const expected = 'SyntaxError: unexpected end of the body: the closing delimiter is missing'
      for (const _ of [1, 2])
        assert.is(await textOf(value?.body ?? inChunks('', 1)).catch(String), expected)
      assert.is(await parts.next().catch(String), expected)
    })
    table(
      test,
      [
        ['a delimiter after the headers', '--XX\r\na: 1\r\n\r\n--XX--', [['a', '1'], '']],
        ['a part with the empty line', '--XX\r\na: 1\r\n\r\n\r\n--XX--', [['a', '1'], '']],
        ['a part without headers', '--XX\r\n\r\none\r\n--XX--', [[], 'one']],
      ] as const,
      async (_, text, expected) => {
        for (let size = 1; size < text.length; size++)
          assert.equal(await resultOf(text, size, { allowsSharedLineBreak: true }), [expected])
      },
    )
    table(
      test,
      [
        ['--XX\r\na: 1\r\n\r\n--XX--', 'SyntaxError: unterminated part header'],
        ['--XX\r\na: 1\r\n--XX--', 'SyntaxError: unterminated part header'],
        ['--XX\r\na 1\r\n\r\n\r\n--XX--', 'SyntaxError: malformed header section of a part'],
        ['--XX-a\r\n', 'SyntaxError: unexpected text after a delimiter'],
        [
          `--XX\r\na: ${'1'.repeat(320)}`,
          'RangeError: The header section of a part is larger than 300 bytes (the size).',
        ],
        [
          `--XX\r\n${'a: 1\r\n'.repeat(6)}\r\none, two, three`,
          'RangeError: A part has more than 5 headers (the count).',
        ],
      ] as const,
      async (text, expected) => {
        for (let size = 1; size < text.length; size++)
          assert.equal(await resultOf(text, size), [expected], `chunks of ${size} bytes`)
      },
    )
  })
}
