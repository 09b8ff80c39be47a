import * as assert from 'uvu/assert'
import type { EncodedPart } from '../../../src/interpreter/response/multipart-writer.ts'
import { multipartBody } from '../../../src/interpreter/response/multipart-writer.ts'
import type { ChunkSource } from '../../../src/interpreter/exchange.ts'
import { isChunkSource } from '../../../src/interpreter/exchange.ts'
import { describe } from '../../support/describe.ts'

const chunksOf = (
  texts: ReadonlyArray<string>,
  length: number | undefined,
  events: string[],
): ChunkSource => {
  const remaining = [...texts]
  return {
    length,
    next: () => {
      const value = remaining.shift()
      return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value })
    },
    close: () => void events.push('closed'),
    free: () => void events.push('freed'),
  }
}

const textOf = async (body: ReturnType<typeof multipartBody>): Promise<string> => {
  if (!isChunkSource(body)) return Buffer.from(body).toString()
  const texts: string[] = []
  for (;;) {
    const { done, value } = await body.next()
    if (done === true) return texts.join('')
    texts.push(Buffer.from(value).toString())
  }
}

const small: EncodedPart = { headers: ['A', 'b', 'C', 'd'], body: 'é' }

describe('multipartBody', (test) => {
  test('separates parts by delimiters', async () => {
    assert.is(
      await textOf(multipartBody([small, { headers: [], body: new Uint8Array([120]) }], 'X')),
      '--X\r\nA: b\r\nC: d\r\n\r\né\r\n--X\r\n\r\nx\r\n--X--\r\n',
    )
    assert.is(await textOf(multipartBody([], 'X')), '--X--\r\n')
  })
  test('returns bytes if no part is in chunks', () =>
    assert.not.ok(isChunkSource(multipartBody([small], 'X'))))
  test('has a length if all parts have one', async () => {
    for (const length of [2, undefined]) {
      const body = multipartBody(
        [small, { headers: [], body: chunksOf(['a', 'b'], length, []) }],
        'X',
      )
      assert.ok(isChunkSource(body))
      const text = await textOf(body)
      assert.is(body.length, length === undefined ? undefined : Buffer.byteLength(text))
    }
  })
  test('closes each part at its end, and all parts on close', async () => {
    const events: string[] = []
    const parts = [1, 2].map(() => ({ headers: [], body: chunksOf(['a'], 1, events) }))
    const body = multipartBody(parts, 'X', () => void events.push('all'))
    assert.ok(isChunkSource(body))
    for (let turn = 0; turn < 3; turn++) await body.next()
    assert.equal(events, ['closed'])
    body.free?.(new Uint8Array(0))
    assert.equal(events, ['closed', 'freed', 'freed'])
    body.close()
    assert.equal(events.slice(3), ['closed', 'closed', 'all'])
  })
})
