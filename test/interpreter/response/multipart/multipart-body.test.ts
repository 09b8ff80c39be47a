import * as assert from 'uvu/assert'
import type { Part } from '../../../../src/interpreter/response/multipart/multipart-body.ts'
import { parted } from '../../../../src/interpreter/response/multipart/multipart-body.ts'
import type { Pieces } from '../../../../src/interpreter/chunks.ts'
import { isPieces } from '../../../../src/interpreter/chunks.ts'
import { describe } from '../../../support/describe.ts'

const piecesOf = (
  texts: ReadonlyArray<string>,
  length: number | undefined,
  told: string[],
): Pieces => {
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

const textOf = async (content: ReturnType<typeof parted>): Promise<string> => {
  if (!isPieces(content)) return Buffer.from(content).toString()
  const texts: string[] = []
  for (;;) {
    const { done, value } = await content.next()
    if (done === true) return texts.join('')
    texts.push(Buffer.from(value).toString())
  }
}

const small: Part = { headers: ['A', 'b', 'C', 'd'], content: 'é' }

describe('parted', (test) => {
  test('puts a delimiter between parts', async () => {
    assert.is(
      await textOf(parted([small, { headers: [], content: new Uint8Array([120]) }], 'X')),
      '--X\r\nA: b\r\nC: d\r\n\r\né\r\n--X\r\n\r\nx\r\n--X--\r\n',
    )
    assert.is(await textOf(parted([], 'X')), '--X--\r\n')
  })
  test('is whole where all parts are', () => assert.not.ok(isPieces(parted([small], 'X'))))
  test('knows its length when its parts do', async () => {
    for (const length of [2, undefined]) {
      const content = parted(
        [small, { headers: [], content: piecesOf(['a', 'b'], length, []) }],
        'X',
      )
      assert.ok(isPieces(content))
      const text = await textOf(content)
      assert.is(content.length, length === undefined ? undefined : Buffer.byteLength(text))
    }
  })
  test('closes a part when it is over, and all when nobody asks any more', async () => {
    const told: string[] = []
    const parts = [1, 2].map(() => ({ headers: [], content: piecesOf(['a'], 1, told) }))
    const content = parted(parts, 'X', () => void told.push('all'))
    assert.ok(isPieces(content))
    for (let turn = 0; turn < 3; turn++) await content.next()
    assert.equal(told, ['closed'])
    content.free?.(new Uint8Array(0))
    assert.equal(told, ['closed', 'freed', 'freed'])
    content.close()
    assert.equal(told.slice(3), ['closed', 'closed', 'all'])
  })
})
