/** Multipart bodies, split into parts for any chunks. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { isHttpError } from '../../../src/endpoint/http-error.ts'
import { splitParts } from '../../../src/node/multipart/split-parts.ts'
import { describe, table } from '../../support/describe.ts'
import { field, formOf } from '../../support/multipart.ts'

const limits = { headerSize: 300, headerCount: 5 }

async function* cut(content: string, size: number): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < content.length; at += size)
    yield await Promise.resolve(Buffer.from(content.slice(at, at + size), 'latin1'))
}

const all = async (content: string, size: number): Promise<ReadonlyArray<unknown>> => {
  const parts: unknown[] = []
  for await (const { headers, body: octets } of splitParts(cut(content, size), 'XX', limits)) {
    const pieces: Uint8Array[] = []
    for await (const piece of octets) pieces.push(piece)
    parts.push([headers[1], Buffer.concat(pieces).toString('latin1')])
  }
  return parts
}

const tricky = formOf(
  field('a', '\r\n--X\r\n--\r\r\n-\r\n'),
  field('b', ''),
  field('c', '\r\n', { fileName: 'c', type: 'application/octet-stream' }),
  field('d', '-XX--\r'),
)
const expected = [
  ['form-data; name="a"', '\r\n--X\r\n--\r\r\n-\r\n'],
  ['form-data; name="b"', ''],
  ['form-data; name="c"; filename="c"', '\r\n'],
  ['form-data; name="d"', '-XX--\r'],
]

const malformed = [400, 'Request validation failed.']

const outcome = async (content: string, size: number): Promise<unknown> => {
  try {
    return await all(content, size)
  } catch (error) {
    return isHttpError(error) ? [error.status, error.detail ?? error.faults[0]?.detail] : error
  }
}

describe('splitParts', (test) => {
  test('returns the same parts for any chunk boundaries', async () => {
    for (let size = 1; size <= tricky.length; size++)
      assert.equal(await all(tricky, size), expected)
  })
  test('RFC 2046, 5.1.1: whitespace after a delimiter belongs to the delimiter', async () => {
    for (const padding of [' ', '\t', ' \t  '.repeat(20)]) {
      const padded = tricky.replaceAll(/--XX(?:--)?(?=\r\n)/g, `$&${padding}`)
      assert.is(padded.split(padding).length > 5, true)
      for (let size = 1; size <= padded.length; size++)
        assert.equal(await all(padded, size), expected, `in pieces of ${size}`)
    }
  })
  table(
    test,
    [
      ['a delimiter that goes on behind white space', formOf('A: b\r\n\r\nc\r\n--XX Y')],
      ['a delimiter that goes on behind a CR', formOf('A: b\r\n\r\nc\r\n--XX \rY')],
      ['white space in the last delimiter', formOf('A: b\r\n\r\nc').replace('--XX--', '--XX --')],
      ['nothing between padded delimiters', formOf('A: b\r\n\r\nc\r\n--XX ', 'A: b\r\n\r\nd')],
    ] as const,
    async (_, content) => {
      for (let size = 1; size < content.length; size++)
        assert.equal(await outcome(content, size), malformed, `in pieces of ${size}`)
    },
  )
  test('a chunk is freed after its last byte was read', async () => {
    for (let size = 1; size <= tricky.length; size++) {
      let freed = 0
      const free = (piece: Uint8Array): void => {
        freed++
        piece.fill(120)
      }
      const parts: unknown[] = []
      for await (const { headers, body: content } of splitParts(
        cut(tricky, size),
        'XX',
        limits,
        free,
      )) {
        let text = ''
        for await (const piece of content) text += Buffer.from(piece).toString('latin1')
        parts.push([headers[1], text])
      }
      assert.equal(parts, expected, `in pieces of ${size}`)
      assert.is(freed, Math.ceil(tricky.length / size), `in pieces of ${size}`)
    }
  })
  test('a chunk whose rest is not read is freed', async () => {
    let freed = 0
    let count = 0
    for await (const { body: content } of splitParts(
      cut(tricky, 10),
      'XX',
      limits,
      () => freed++,
    )) {
      if (count++ % 2 === 0) for await (const _ of content) break
    }
    assert.equal([count, freed], [4, Math.ceil(tricky.length / 10)])
  })
  table(
    test,
    [
      ['a delimiter that goes on', formOf('A: b\r\n\r\nc\r\n--XXY', 'A: b\r\n\r\nd')],
      ['the last delimiter goes on', formOf('A: b\r\n\r\nc').replace('--XX--', '--XX-x')],
      ['a delimiter in a header', formOf('A: b\r\nC: d', 'A: b\r\n\r\nd')],
      ['a part without a header and its empty line', formOf('', 'A: b\r\n\r\nd')],
      ['a malformed header', formOf('A b\r\n\r\nc')],
      ['too many octets', formOf(`A: ${'b'.repeat(300)}\r\n\r\nc`)],
      ['too many fields', formOf(`${'A: b\r\n'.repeat(6)}\r\nc`)],
      ['no end', formOf('A: b\r\n\r\nc').slice(0, -4)],
      ['parts behind the end', `${formOf('A: b\r\n\r\nc')}${formOf('A: b\r\n\r\nd')}`],
      ['a part before the first line', `A: b\r\n\r\nc\r\n${formOf('A: b\r\n\r\nd')}`],
    ] as const,
    async (_, content) => {
      const whole = await outcome(content, content.length)
      for (let size = 1; size < content.length; size++)
        assert.equal(await outcome(content, size), whole, `in pieces of ${size}`)
    },
  )
  test('few chunks are requested while parts are not read', async () => {
    let asked = 0
    const state = { isOver: false }
    async function* endless(): AsyncGenerator<Uint8Array, undefined> {
      yield Buffer.from('--XX\r\nA: b\r\n\r\n')
      // what nobody takes is discarded up to its end
      while (!state.isOver) {
        asked += 64 * 1024
        yield await Promise.resolve(new Uint8Array(64 * 1024))
      }
    }
    let taken = 0
    for await (const { body: content } of splitParts(endless(), 'XX', limits)) {
      for await (const piece of content) {
        taken += piece.length
        await wait(5)
        assert.ok(asked - taken <= 256 * 1024, `${asked} asked for, ${taken} taken`)
        if (taken > 2_000_000) break
      }
      state.isOver = true
      break
    }
  })
  test('an error of the source fails the part body and the next part', async () => {
    const gone = new Error('gone')
    async function* broken(): AsyncGenerator<Uint8Array, undefined> {
      yield Buffer.from('--XX\r\nA: b\r\n\r\nabc')
      await wait(5)
      throw gone
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
    assert.equal(caught, [gone, gone])
  })
  test('the rest of the body is received after the reader stops', async () => {
    const state = { ended: false }
    async function* watched(): AsyncGenerator<Uint8Array, undefined> {
      yield* cut(formOf(field('a', 'x'.repeat(500_000))), 10_000)
      state.ended = true
    }
    for await (const _ of splitParts(watched(), 'XX', limits)) break
    for (let i = 0; i < 100 && !state.ended; i++) await wait(5)
    assert.ok(state.ended)
  })
})
