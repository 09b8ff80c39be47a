/** The cost of what the client reads: a server may send a body in one-byte chunks, or of delimiters that never end. */
import * as assert from 'uvu/assert'
import { parseMultipart } from '../../src/client/response/multipart-parser.ts'
import { readBody } from '../../src/client/response/read-body.ts'
import { ResponseBodyBuffer } from '../../src/client/transport/response-body-buffer.ts'
import { splitArray, splitLines } from '../../src/codec/json/json-elements.ts'
import { describe } from '../support/describe.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function* chunks(bytes: Uint8Array, size: number): Generator<Uint8Array, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

async function* slowly(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, undefined> {
  yield* chunks(bytes, size)
}

const cpu = async (run: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const used = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Heap and buffers that a function has left behind or made, in bytes. */
const memory = async (run: () => unknown): Promise<number> => {
  const before = used()
  await run()
  return used() - before
}

const nothing = (): void => undefined

const fail = ({ _tag }: { readonly _tag: string }): Error => new Error(_tag)

const lengthOfParts = async (bytes: Uint8Array, size: number): Promise<number> => {
  let length = 0
  for await (const part of parseMultipart(slowly(bytes, size), 'b', (detail) => new Error(detail)))
    for await (const chunk of part.content) length += chunk.length
  return length
}

const head = '--b\r\nContent-Disposition: form-data; name="a"\r\n'
const size = 200_000

describe('the readers of the client', (test) => {
  for (const [name, split, before, behind] of [
    ['an array', splitArray, '["', '"]'],
    ['lines', splitLines, '"', '"\n'],
  ] as const)
    test(`an element of ${name} in one-byte chunks takes less than 100 times its size`, async () => {
      const bytes = encode(before + 'a'.repeat(size) + behind)
      const elements = split(Infinity, fail)
      let length = 0
      const more = await memory(() => {
        for (const chunk of chunks(bytes, 1))
          for (const element of elements.take(chunk)) length += element.length
      })
      assert.is(length, size + 2)
      assert.ok(more < 100 * size, `${more / size} bytes for each`)
    })

  test('blank lines between JSON lines are skipped in a loop', async () => {
    const bytes = encode('\n'.repeat(4_000_000))
    const millis = await cpu(() => {
      const elements = splitLines(Infinity, fail)
      for (const chunk of chunks(bytes, 65_536)) assert.equal([...elements.take(chunk)], [])
    })
    assert.ok(millis < 150, `${millis} ms`)
  })

  test('a buffered body in one-byte chunks is joined', async () => {
    const bytes = encode('abc'.repeat(20_000))
    const all = chunks(bytes, 1)
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const { done, value } = all.next()
          if (done === true) controller.close()
          else controller.enqueue(value)
        },
      },
      { highWaterMark: 0 },
    )
    const response = { status: 200, headers: [], url: '', body }
    await readBody(response, { maxBytes: Infinity, timeout: undefined }, (read) => {
      assert.is(read._tag, 'Right')
      if (read._tag === 'Right') assert.equal(read.right, bytes)
    })
  })

  test('64 KB in unread one-byte chunks are read in linear time', async () => {
    const bytes = new Uint8Array(65_536).map((_, index) => index)
    const body = new ResponseBodyBuffer({ resume: nothing, close: nothing, onRead: nothing })
    for (const chunk of chunks(bytes, 1)) body.add(chunk)
    body.end()
    const found: number[] = []
    const millis = await cpu(async () => {
      for await (const chunk of body.open()) found.push(...chunk)
    })
    assert.equal(Uint8Array.from(found), bytes)
    assert.ok(millis < 800, `${millis} ms`)
  })

  test('the header section of a part in one-byte chunks is searched once', async () => {
    const bytes = encode(`${head}X: ${'\r'.repeat(15_000)}\r\n\r\nx\r\n--b--`)
    const millis = await cpu(() =>
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
    const small = await cpu(() => lengthOfParts(bytes, 65_536))
    assert.ok(small < 500, `${small} ms`)
  })

  for (const step of [1, 2, 3, 7, 40])
    test(`parts in chunks of ${step} bytes are found again`, async () => {
      const content = 'x\r\n--\r\n--c\r\r\n\r\n--a\r'
      const bytes = encode(
        `${head}\r\n${content}\r\n${head}X-Y: z\r\n\r\n${content.repeat(9)}\r\n--b--`,
      )
      const texts: string[] = []
      for await (const part of parseMultipart(
        slowly(bytes, step),
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
