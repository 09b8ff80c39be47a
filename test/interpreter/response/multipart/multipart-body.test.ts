import * as assert from 'uvu/assert'
import type { EncodedPart } from '../../../../src/interpreter/response/multipart/multipart-body.ts'
import { multipartBody } from '../../../../src/interpreter/response/multipart/multipart-body.ts'
import type { ChunkSource } from '../../../../src/interpreter/chunks.ts'
import { isChunkSource } from '../../../../src/interpreter/chunks.ts'
import { describe } from '../../../support/describe.ts'

const piecesOf = (
  texts: ReadonlyArray<string>,
  length: number | undefined,
  told: string[],
): ChunkSource => {
  const left = [...texts]
  return {
    length,
    next: () => {
      const value = left.shift()
      return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value })
    },
    close: () => void told.push('closed'),
    free: () => void told.push('freed'),
  }
}

const textOf = async (content: ReturnType<typeof multipartBody>): Promise<string> => {
  if (!isChunkSource(content)) return Buffer.from(content).toString()
  const texts: string[] = []
  for (;;) {
    const { done, value } = await content.next()
    if (done === true) return texts.join('')
    texts.push(Buffer.from(value).toString())
  }
}

const small: EncodedPart = { headers: ['A', 'b', 'C', 'd'], body: 'é' }

describe('parted', (test) => {
  test('puts a delimiter between parts', async () => {
    assert.is(
      await textOf(multipartBody([small, { headers: [], body: new Uint8Array([120]) }], 'X')),
      '--X\r\nA: b\r\nC: d\r\n\r\né\r\n--X\r\n\r\nx\r\n--X--\r\n',
    )
    assert.is(await textOf(multipartBody([], 'X')), '--X--\r\n')
  })
  test('is whole where all parts are', () =>
    assert.not.ok(isChunkSource(multipartBody([small], 'X'))))
  test('knows its length when its parts do', async () => {
    for (const length of [2, undefined]) {
      const content = multipartBody(
        [small, { headers: [], body: piecesOf(['a', 'b'], length, []) }],
        'X',
      )
      assert.ok(isChunkSource(content))
      const text = await textOf(content)
      assert.is(content.length, length === undefined ? undefined : Buffer.byteLength(text))
    }
  })
  test('closes a part when it is over, and all when nobody asks any more', async () => {
    const told: string[] = []
    const parts = [1, 2].map(() => ({ headers: [], body: piecesOf(['a'], 1, told) }))
    const content = multipartBody(parts, 'X', () => void told.push('all'))
    assert.ok(isChunkSource(content))
    for (let turn = 0; turn < 3; turn++) await content.next()
    assert.equal(told, ['closed'])
    content.free?.(new Uint8Array(0))
    assert.equal(told, ['closed', 'freed', 'freed'])
    content.close()
    assert.equal(told.slice(3), ['closed', 'closed', 'all'])
  })
})
