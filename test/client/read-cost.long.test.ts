/** The cost of reading hostile bodies: one-byte chunks, and long runs of delimiters. */
import * as assert from 'uvu/assert'
import { parseMultipart } from '../../src/client/response/multipart-record.ts'
import { readBody } from '../../src/client/receive-body.ts'
import { splitArray, splitLines } from '../../src/codec/json/json-elements.ts'
import { describe } from '../support/describe.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function* chunks(bytes: Uint8Array, size: number): Generator<Uint8Array, undefined> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size)
}

async function* asyncChunks(
  bytes: Uint8Array,
  size: number,
): AsyncGenerator<Uint8Array, undefined> {
  yield* chunks(bytes, size)
}

const cpuMillis = async (run: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const memoryUsed = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Returns how much heap and buffer memory a function allocates, in bytes. */
const memoryGrowth = async (run: () => unknown): Promise<number> => {
  const before = memoryUsed()
  await run()
  return memoryUsed() - before
}

const fail = ({ _tag }: { readonly _tag: string }): Error => new Error(_tag)

const lengthOfParts = async (bytes: Uint8Array, size: number): Promise<number> => {
  let length = 0
  for await (const part of parseMultipart(
    asyncChunks(bytes, size),
    'b',
    (detail) => new Error(detail),
  ))
    for await (const chunk of part.content) length += chunk.length
  return length
}

const head = '--b\r\nContent-Disposition: form-data; name="a"\r\n'
const size = 200_000

describe('reading hostile bodies', (test) => {
  for (const [name, split, start, end] of [
    ['an array', splitArray, '["', '"]'],
    ['lines', splitLines, '"', '"\n'],
  ] as const)
    test(`an element of ${name} in one-byte chunks takes less than 100 times its size`, async () => {
      const bytes = encode(start + 'a'.repeat(size) + end)
      const elements = split(Infinity, fail)
      let length = 0
      const growth = await memoryGrowth(() => {
        for (const chunk of chunks(bytes, 1))
          for (const element of elements.take(chunk)) length += element.length
      })
      assert.is(length, size + 2)
      assert.ok(growth < 100 * size, `${growth / size} bytes per byte`)
    })

  test('four million blank lines are skipped in less than 150 ms', async () => {
    const bytes = encode('\n'.repeat(4_000_000))
    const millis = await cpuMillis(() => {
      const elements = splitLines(Infinity, fail)
      for (const chunk of chunks(bytes, 65_536)) assert.equal([...elements.take(chunk)], [])
    })
    assert.ok(millis < 150, `${millis} ms`)
  })

  test('a buffered body in one-byte chunks is complete', async () => {
    const bytes = encode('abc'.repeat(20_000))
    const source = chunks(bytes, 1)
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const { done, value } = source.next()
          if (done === true) controller.close()
          else controller.enqueue(value)
        },
      },
      { highWaterMark: 0 },
    )
    const response = { status: 200, headers: [], url: '', body }
    const read = await readBody(response, { maxBytes: Infinity, timeout: undefined })
    assert.equal(read, { bytes, error: undefined })
  })

  test('a header section in one-byte chunks is searched in linear time', async () => {
    const bytes = encode(`${head}X: ${'\r'.repeat(15_000)}\r\n\r\nx\r\n--b--`)
    const millis = await cpuMillis(() =>
      lengthOfParts(bytes, 1).catch(({ message }: Error) =>
        assert.is(message, 'malformed header section of a part'),
      ),
    )
    assert.ok(millis < 500, `${millis} ms`)
  })

  test('a part of carriage returns is read in linear time', async () => {
    const length = 4_000_000
    const bytes = encode(`${head}\r\n${'\r'.repeat(length)}\r\n--b--`)
    await lengthOfParts(bytes.subarray(0, 0), 1).catch(() => undefined)
    const millis = await cpuMillis(() => lengthOfParts(bytes, 65_536))
    assert.ok(millis < 500, `${millis} ms`)
  })

  for (const step of [1, 2, 3, 7, 40])
    test(`parts in chunks of ${step} bytes are parsed completely`, async () => {
      const content = 'x\r\n--\r\n--c\r\r\n\r\n--a\r'
      const bytes = encode(
        `${head}\r\n${content}\r\n${head}X-Y: z\r\n\r\n${content.repeat(9)}\r\n--b--`,
      )
      const texts: string[] = []
      for await (const part of parseMultipart(
        asyncChunks(bytes, step),
        'b',
        (detail) => new Error(detail),
      )) {
        const parts: Uint8Array[] = []
        for await (const chunk of part.content) parts.push(chunk)
        texts.push(Buffer.concat(parts).toString())
      }
      assert.equal(texts, [content, content.repeat(9)])
    })
})
