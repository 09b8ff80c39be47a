import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { ChunkSource } from '../../../src/interpreter/chunks.ts'
import { jsonLines } from '../../../src/body/stream/framings.ts'
import { coalesce } from '../../../src/interpreter/response/stream/coalesce.ts'
import { openSource } from '../../../src/body/stream/open-source.ts'
import { BodyMemory } from '../../../src/interpreter/request-body/body-memory.ts'
import { sendChunks } from '../../../src/node/exchange/send-chunks.ts'
import { describe, table } from '../../support/describe.ts'
import type { Way } from '../../support/elements.ts'
import { elementsOf, ways } from '../../support/elements.ts'

/** A response on a connection that takes what it is given when it is told to. */
const connected = (highWaterMark: number) => {
  const taken: Array<() => void> = []
  const socket = new Socket({ highWaterMark } as object)
  let text = ''
  socket._write = (chunk: Buffer | string, encoding, then) => {
    text += typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString() : chunk.toString()
    taken.push(then)
  }
  socket._writev = (chunks, then) => {
    for (const { chunk, encoding } of chunks)
      text += typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString() : chunk.toString()
    taken.push(then)
  }
  const response = new ServerResponse(
    Object.assign(new IncomingMessage(socket), { httpVersionMajor: 1, httpVersionMinor: 1 }),
  )
  response.assignSocket(socket)
  response.writeHead(200)
  return {
    response,
    socket,
    text: () => text,
    /** Takes what was written so far. */
    take: () => {
      for (const then of taken.splice(0)) then()
    },
  }
}

/** Turns of the event loop, enough for whatever is ready. */
const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  await wait(30)
}

const start = (response: ServerResponse, pieces: ChunkSource) => {
  const events: string[] = []
  response.on('error', (error) => events.push(String(error)))
  sendChunks(response, pieces, {
    memory: new BodyMemory(Infinity),
    end: () => {
      events.push('end')
      response.end()
    },
    onClose: (then) => response.once('close', then),
  })
  return events
}

function* repeated(element: string): Generator<string> {
  for (;;) yield element
}

type Row = readonly [name: string, element: string, way: Way, mark: number]

describe('sendChunks to a client that reads nothing', (test) => {
  const rows: ReadonlyArray<Row> = [16 * 1024, 64 * 1024].flatMap((mark) =>
    ways.flatMap((way) =>
      (
        [
          ['small elements', 'x'.repeat(20)],
          ['elements', 'x'.repeat(1000)],
          ['elements beyond ASCII', '€'.repeat(300)],
          ['elements of 16,000 octets', 'x'.repeat(16_000)],
        ] as const
      )
        // one after the other they take too long
        .filter(([name]) => name !== 'small elements' || way !== 'timer')
        .map(
          ([name, element]) => [`${name}, ${way}, a mark of ${mark}`, element, way, mark] as const,
        ),
    ),
  )
  table<Row>(test, rows, async (_, element, way, mark) => {
    const { response } = connected(mark)
    const watched = elementsOf(repeated(element), way)
    start(response, coalesce(openSource(watched.source), jsonLines(String)))
    let before = -1
    while (before !== watched.asked) {
      before = watched.asked
      await quiet()
    }
    const held = watched.asked * (Buffer.byteLength(element) + 1)
    assert.ok(held > 0 && held <= 64 * 1024, `${held} octets`)
    response.destroy()
    await quiet()
    assert.is(watched.ended, 1)
  })
})

describe('sendChunks', (test) => {
  test('continues when the client reads, and ends the response', async () => {
    const { response, take, text } = connected(16 * 1024)
    const elements = Array.from({ length: 5000 }, (_, index) => String(index))
    const watched = elementsOf(elements, 'async')
    const events = start(response, coalesce(openSource(watched.source), jsonLines(String)))
    let asks = 0
    while (!response.writableFinished && asks++ < 1000) {
      take()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const content = text()
      .split('\r\n\r\n')
      .slice(1)
      .join('\r\n\r\n')
      .replaceAll(/(^|\r\n)[\da-f]+\r\n/g, '')
    assert.is(content.trimEnd(), elements.join('\n'))
    assert.equal([events, watched.ended], [['end'], 1])
  })
  test('requests chunks sequentially', async () => {
    const { response, take } = connected(16 * 1024)
    let underway = 0
    let most = 0
    let count = 0
    const next = async () => {
      most = Math.max(most, ++underway)
      await new Promise((resolve) => setImmediate(resolve))
      underway--
      return ++count > 50
        ? ({ done: true, value: undefined } as const)
        : { done: false, value: 'x'.repeat((count * 997) % 9000) }
    }
    const events = start(response, { length: undefined, next, close: () => undefined })
    for (let turn = 0; turn < 2000 && events.length === 0; turn++) {
      take()
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal([events, most, count], [['end'], 1, 51])
  })
  test('a source of empty chunks does not block the event loop', async () => {
    const { response } = connected(16 * 1024)
    let isClosed = false
    start(response, {
      length: undefined,
      next: () => Promise.resolve({ done: false, value: '' }),
      close: () => (isClosed = true),
    })
    await quiet()
    response.destroy()
    await quiet()
    assert.ok(isClosed)
  })
  for (const [name, fails] of [
    ['rejects', () => Promise.reject(new Error('it fails'))],
    [
      'gives neither text nor octets',
      () => Promise.resolve({ done: false as const, value: JSON.parse('1') as string }),
    ],
  ] as const)
    test(`cuts the connection after the sent chunks when a chunk ${name}`, async () => {
      const { response, socket, text, take } = connected(16 * 1024)
      let pieces = 0
      let closes = 0
      const events = start(response, {
        length: undefined,
        next: () =>
          pieces++ === 0 ? Promise.resolve({ done: false as const, value: 'first' }) : fails(),
        close: () => closes++,
      })
      take()
      await quiet()
      assert.match(text(), /first\r\n$/)
      assert.equal([socket.destroyed, events, closes], [true, [], 1])
    })
  test('closes the source once when the response closes', async () => {
    for (const when of ['while a piece is made', 'while one waits to be taken']) {
      const { response } = connected(16 * 1024)
      let asks = 0
      let closes = 0
      const events = start(response, {
        length: undefined,
        next: async () => {
          asks++
          if (when === 'while a piece is made') await wait(10)
          return { done: false, value: 'x'.repeat(20_000) }
        },
        close: () => closes++,
      })
      await new Promise((resolve) => setImmediate(resolve))
      response.destroy()
      await quiet()
      assert.equal([asks, closes, events], [1, 1, []])
    }
  })
  test('sends the head before a slow body', async () => {
    const { response, text } = connected(16 * 1024)
    start(response, {
      length: undefined,
      next: () => new Promise(() => undefined),
      close: () => undefined,
    })
    await quiet()
    assert.match(text(), /^HTTP\/1.1 200 OK\r\n/)
    response.destroy()
  })
})
