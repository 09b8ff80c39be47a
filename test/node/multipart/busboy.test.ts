/** Splitting of well-formed multipart bodies, compared with busboy, for random parts and chunk boundaries. */
import busboy from 'busboy'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { partSplitter } from '../../../src/node/multipart/split-parts.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { encodeMultipart, encodePart, multipartType } from '../../support/multipart.ts'

const limits = {
  headerSize: 300,
  headerSizeName: 'the size',
  headerCount: 5,
  headerCountName: 'the count',
}

const split = partSplitter()

/** Divides bytes into chunks of the given sizes, which are used in turn. */
const chunksOf = (content: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const chunks: Buffer[] = []
  for (let at = 0, i = 0; at < content.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    chunks.push(Buffer.from(content.subarray(at, at + size)))
    at += size
  }
  return chunks
}

async function* streamOf(chunks: ReadonlyArray<Buffer>): AsyncGenerator<Uint8Array, undefined> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}

const splitParts = async (chunks: ReadonlyArray<Buffer>): Promise<ReadonlyArray<string>> => {
  const kept: Uint8Array[][] = []
  for await (const { body } of split(streamOf(chunks), 'XX', limits)) {
    const part: Uint8Array[] = []
    kept.push(part)
    for await (const chunk of body) part.push(chunk)
  }
  return kept.map((part) => Buffer.concat(part).toString('latin1'))
}

const splitByBusboy = (chunks: ReadonlyArray<Buffer>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const kept: Buffer[][] = []
    const parser = busboy({ headers: { 'content-type': multipartType } })
    parser.on('file', (_, stream) => {
      const part: Buffer[] = []
      kept.push(part)
      stream.on('data', (chunk: Buffer) => part.push(chunk))
    })
    parser.on('error', reject)
    parser.on('close', () => resolve(kept.map((part) => Buffer.concat(part).toString('latin1'))))
    for (const chunk of chunks) parser.write(chunk)
    parser.end()
  })

const bodyOfPart = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r\n', '\r', '\n', '-', '--', '--X', 'XX', '\r\n--', '\r\n--X', '--XX', ' '),
      fc.string({ maxLength: 80 }),
    ),
    { maxLength: 12 },
  )
  .map((tokens) => tokens.join(''))
  // a delimiter can also follow the line break at the end of the headers
  .filter((text) => !`\r\n${text}`.includes('\r\n--XX') && /^[\0-\xff]*$/.test(text))

describe('well-formed multipart bodies', (test) => {
  test('have the same parts as with busboy', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(bodyOfPart, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
        async (bodies, sizes) => {
          const parts = bodies.map((body, i) => encodePart(`p${i}`, body, { fileName: 'f' }))
          const content = Buffer.from(encodeMultipart(...parts), 'latin1')
          const chunks = chunksOf(content, sizes)
          const expected = await splitByBusboy(chunks)
          assert.equal(expected, bodies)
          assert.equal(await splitParts(chunks), expected)
        },
      ),
      { numRuns: repetitions(50, 3000), seed: 20 },
    ))
  test('have the same parts if they are divided at any byte', async () => {
    const bodies = ['\r\n--X\r\n', '', 'abc\r', '--']
    const parts = bodies.map((body, i) => encodePart(`p${i}`, body, { fileName: 'f' }))
    const content = Buffer.from(`preamble\r\n${encodeMultipart(...parts)}epilogue`, 'latin1')
    for (let at = 1; at < content.length; at++)
      assert.equal(
        await splitParts([content.subarray(0, at), content.subarray(at)]),
        bodies,
        `divided at ${at}`,
      )
  })
})
