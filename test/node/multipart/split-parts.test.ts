/** Splitting of multipart bodies for any chunk boundaries. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { isHttpError } from '../../../src/endpoint/http-error.ts'
import { partSplitter } from '../../../src/node/multipart/split-parts.ts'
import { describe, table } from '../../support/describe.ts'
import { encodePart, encodeMultipart } from '../../support/multipart.ts'

const splitParts = partSplitter()

const limits = {
  headerSize: 300,
  headerSizeName: 'the size',
  headerCount: 5,
  headerCountName: 'the count',
}

async function* chunksOf(content: string, size: number): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < content.length; at += size)
    yield await Promise.resolve(Buffer.from(content.slice(at, at + size), 'latin1'))
}

const readParts = async (content: string, size: number): Promise<ReadonlyArray<unknown>> => {
  const parts: unknown[] = []
  for await (const { headers, body } of splitParts(chunksOf(content, size), 'XX', limits)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    parts.push([headers[1], Buffer.concat(chunks).toString('latin1')])
  }
  return parts
}

const edgeCases = encodeMultipart(
  encodePart('a', '\r\n--X\r\n--\r\r\n-\r\n'),
  encodePart('b', ''),
  encodePart('c', '\r\n', { fileName: 'c', type: 'application/octet-stream' }),
  encodePart('d', '-XX--\r'),
)
const expected = [
  ['form-data; name="a"', '\r\n--X\r\n--\r\r\n-\r\n'],
  ['form-data; name="b"', ''],
  ['form-data; name="c"; filename="c"', '\r\n'],
  ['form-data; name="d"', '-XX--\r'],
]

const malformed = [400, 'Request validation failed.']

const resultOf = async (content: string, size: number): Promise<unknown> => {
  try {
    return await readParts(content, size)
  } catch (error) {
    return isHttpError(error) ? [error.status, error.detail ?? error.errors[0]?.detail] : error
  }
}

describe('partSplitter', (test) => {
  for (const [title, maximum, text] of [
    ['receive the chunks in order', 10, '0123456789'],
    ['fail after the limit', 8, undefined],
  ] as const)
    test(`reads that are pending at the same time ${title}`, async () => {
      const content = encodeMultipart(encodePart('a', '0123456789'))
      for await (const { body } of splitParts(chunksOf(content, 3), 'XX', limits)) {
        body.limit(maximum, () => new RangeError('too large'))
        const reads = await Promise.allSettled(Array.from({ length: 12 }, () => body.next()))
        const read = reads.flatMap((one) => (one.status === 'fulfilled' ? [one.value.value] : []))
        const bytes = Buffer.concat(read.filter((chunk) => chunk !== undefined))
        const errors = reads.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
        assert.is(errors.length > 0, text === undefined)
        assert.ok(errors.every((error) => error instanceof RangeError))
        if (text === undefined) assert.ok(bytes.length <= maximum, String(bytes.length))
        else assert.is(bytes.toString(), text)
      }
    })
  test('returns the same parts for any chunk boundaries', async () => {
    for (let size = 1; size <= edgeCases.length; size++)
      assert.equal(await readParts(edgeCases, size), expected)
  })
  test('whitespace after a delimiter belongs to the delimiter (RFC 2046, 5.1.1)', async () => {
    for (const padding of [' ', '\t', ' \t  '.repeat(20)]) {
      const padded = edgeCases.replaceAll(/--XX(?:--)?(?=\r\n)/g, `$&${padding}`)
      assert.is(padded.split(padding).length > 5, true)
      for (let size = 1; size <= padded.length; size++)
        assert.equal(await readParts(padded, size), expected, `chunk size ${size}`)
    }
  })
  table(
    test,
    [
      ['rejects text after a delimiter and whitespace', encodeMultipart('A: b\r\n\r\nc\r\n--XX Y')],
      ['rejects text after a delimiter and a CR', encodeMultipart('A: b\r\n\r\nc\r\n--XX \rY')],
      [
        'rejects whitespace in the last delimiter',
        encodeMultipart('A: b\r\n\r\nc').replace('--XX--', '--XX --'),
      ],
      [
        'rejects adjacent delimiters with whitespace',
        encodeMultipart('A: b\r\n\r\nc\r\n--XX ', 'A: b\r\n\r\nd'),
      ],
    ] as const,
    async (_, content) => {
      for (let size = 1; size < content.length; size++)
        assert.equal(await resultOf(content, size), malformed, `chunk size ${size}`)
    },
  )
  test('frees a chunk after its last byte was read', async () => {
    for (let size = 1; size <= edgeCases.length; size++) {
      let freed = 0
      const free = (chunk: Uint8Array): void => {
        freed++
        chunk.fill(120)
      }
      const parts: unknown[] = []
      for await (const { headers, body } of splitParts(
        chunksOf(edgeCases, size),
        'XX',
        limits,
        free,
      )) {
        let text = ''
        for await (const chunk of body) text += Buffer.from(chunk).toString('latin1')
        parts.push([headers[1], text])
      }
      assert.equal(parts, expected, `chunk size ${size}`)
      assert.is(freed, Math.ceil(edgeCases.length / size), `chunk size ${size}`)
    }
  })
  test('frees a chunk whose rest is not read', async () => {
    let freed = 0
    let count = 0
    for await (const { body } of splitParts(chunksOf(edgeCases, 10), 'XX', limits, () => freed++)) {
      if (count++ % 2 === 0) for await (const _ of body) break
    }
    assert.equal([count, freed], [4, Math.ceil(edgeCases.length / 10)])
  })
  for (const [title, content] of [
    ['text after a delimiter', encodeMultipart('A: b\r\n\r\nc\r\n--XXY', 'A: b\r\n\r\nd')],
    [
      'text after the beginning of the last delimiter',
      encodeMultipart('A: b\r\n\r\nc').replace('--XX--', '--XX-x'),
    ],
    ['a delimiter in a header', encodeMultipart('A: b\r\nC: d', 'A: b\r\n\r\nd')],
    ['a part without headers and without an empty line', encodeMultipart('', 'A: b\r\n\r\nd')],
    ['a malformed header', encodeMultipart('A b\r\n\r\nc')],
    ['a header section above the size limit', encodeMultipart(`A: ${'b'.repeat(300)}\r\n\r\nc`)],
    ['headers above the maximum number', encodeMultipart(`${'A: b\r\n'.repeat(6)}\r\nc`)],
    ['a missing last delimiter', encodeMultipart('A: b\r\n\r\nc').slice(0, -4)],
    [
      'parts after the last delimiter',
      `${encodeMultipart('A: b\r\n\r\nc')}${encodeMultipart('A: b\r\n\r\nd')}`,
    ],
    ['text before the first delimiter', `A: b\r\n\r\nc\r\n${encodeMultipart('A: b\r\n\r\nd')}`],
  ] as const)
    test(`returns the same result for any chunk boundaries: ${title}`, async () => {
      const whole = await resultOf(content, content.length)
      for (let size = 1; size < content.length; size++)
        assert.equal(await resultOf(content, size), whole, `chunk size ${size}`)
    })
  test('requests few chunks while parts are not read', async () => {
    let requested = 0
    const state = { isOver: false }
    async function* endless(): AsyncGenerator<Uint8Array, undefined> {
      yield Buffer.from('--XX\r\nA: b\r\n\r\n')
      // the unread rest is discarded up to its end
      while (!state.isOver) {
        requested += 64 * 1024
        yield await Promise.resolve(new Uint8Array(64 * 1024))
      }
    }
    let read = 0
    for await (const { body } of splitParts(endless(), 'XX', limits)) {
      for await (const chunk of body) {
        read += chunk.length
        await wait(5)
        assert.ok(requested - read <= 256 * 1024, `${requested} requested, ${read} read`)
        if (read > 2_000_000) break
      }
      state.isOver = true
      break
    }
  })
  test('an error of the source rejects the part body and the next part', async () => {
    const sourceError = new Error('gone')
    async function* broken(): AsyncGenerator<Uint8Array, undefined> {
      yield Buffer.from('--XX\r\nA: b\r\n\r\nabc')
      await wait(5)
      throw sourceError
    }
    const parts = splitParts(broken(), 'XX', limits)
    const first = await parts.next()
    const caught: unknown[] = []
    try {
      if (first.done !== true) for await (const _ of first.value.body);
    } catch (error) {
      caught.push(error)
    }
    try {
      await parts.next()
    } catch (error) {
      caught.push(error)
    }
    assert.equal(caught, [sourceError, sourceError])
  })
  test('receives the rest of the body after the reader stops', async () => {
    const state = { ended: false }
    async function* watched(): AsyncGenerator<Uint8Array, undefined> {
      yield* chunksOf(encodeMultipart(encodePart('a', 'x'.repeat(500_000))), 10_000)
      state.ended = true
    }
    for await (const _ of splitParts(watched(), 'XX', limits)) break
    for (let i = 0; i < 100 && !state.ended; i++) await wait(5)
    assert.ok(state.ended)
  })
})
