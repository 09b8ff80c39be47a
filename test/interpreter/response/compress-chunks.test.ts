import * as assert from 'uvu/assert'
import { compressChunks } from '../../../src/interpreter/response/compress-chunks.ts'
import type { Compression } from '../../../src/interpreter/response/compressors.ts'
import type { ChunkSource } from '../../../src/interpreter/chunks.ts'
import { describe } from '../../support/describe.ts'

/** What happened, in words. */
const told = () => {
  const said: string[] = []
  const pieces = (...values: ReadonlyArray<string | Error>): ChunkSource => {
    const left = [...values]
    return {
      length: 7,
      next: async () => {
        const value = left.shift()
        if (value instanceof Error) throw value
        said.push(`next ${value}`)
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      close: () => void said.push('source closed'),
    }
  }
  const begin = (): Compression => {
    said.push('begun')
    return {
      // a compressor may keep what is small
      write: async (piece) => Buffer.from(piece === 'kept' ? '' : `<${String(piece)}>`),
      end: async () => Buffer.from('</>'),
      close: () => void said.push('compression closed'),
    }
  }
  return { said, pieces, begin }
}

const textOf = async (pieces: ChunkSource): Promise<string | undefined> => {
  const { done, value } = await pieces.next()
  return done === true ? undefined : Buffer.from(value).toString()
}

describe('compressedPieces', (test) => {
  test('asks for a piece when it is asked for one', async () => {
    const { said, pieces, begin } = told()
    const made = compressChunks(pieces('a', 'kept', 'b'), begin)
    assert.is(made.length, undefined)
    assert.equal(said, [])
    assert.is(await textOf(made), '<a>')
    assert.equal(said, ['next a', 'begun'])
    assert.is(await textOf(made), '<b>')
    assert.is(await textOf(made), '</>')
    assert.is(await textOf(made), undefined)
    assert.is(await textOf(made), undefined)
    made.close()
    assert.equal(said, [
      'next a',
      'begun',
      'next kept',
      'next b',
      'next undefined',
      'source closed',
      'compression closed',
    ])
  })
  test('begins nothing that nobody asks for', () => {
    const { said, pieces, begin } = told()
    compressChunks(pieces('a'), begin).close()
    assert.equal(said, ['source closed'])
  })
  test('breaks off where its source does', async () => {
    const { said, pieces, begin } = told()
    const made = compressChunks(pieces('a', new Error('broken')), begin)
    assert.is(await textOf(made), '<a>')
    const error = await textOf(made).catch((reason: unknown) => reason)
    assert.ok(error instanceof Error && error.message === 'broken')
    made.close()
    assert.equal(said.slice(2), ['source closed', 'compression closed'])
  })
  test('begins nothing when it is closed while its source is asked', async () => {
    const { said, pieces, begin } = told()
    const made = compressChunks(pieces('a'), begin)
    const next = textOf(made)
    made.close()
    assert.is(await next, undefined)
    assert.equal(said, ['next a', 'source closed'])
  })
})
