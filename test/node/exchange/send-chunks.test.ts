import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { ChunkSource } from '../../../src/interpreter/exchange.ts'
import { jsonLines } from '../../interpreter/response/stream/chunk-sources.ts'
import { coalesce } from '../../../src/interpreter/response/stream/coalesce.ts'
import { openSource } from '../../../src/body/stream/open-source.ts'
import { BodyMemory } from '../../../src/interpreter/memory-reservation.ts'
import { cutConnection, sendChunks } from '../../../src/node/exchange/send-chunks.ts'
import { describeConcurrently, table } from '../../support/describe.ts'
import type { Timing } from '../../support/observed-source.ts'
import { observedSource, timings } from '../../support/observed-source.ts'
import { turns } from '../../support/wait-until.ts'

/** Creates a response on a connection that accepts data only when `flush` is called. */
const createResponse = (highWaterMark: number) => {
  const callbacks: Array<() => void> = []
  const socket = new Socket({ highWaterMark } as object)
  let text = ''
  socket._write = (chunk: Buffer | string, encoding, then) => {
    text += typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString() : chunk.toString()
    callbacks.push(then)
  }
  socket._writev = (chunks, then) => {
    for (const { chunk, encoding } of chunks)
      text += typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString() : chunk.toString()
    callbacks.push(then)
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
    /** Accepts the data written until now. */
    flush: () => {
      for (const then of callbacks.splice(0)) then()
    },
  }
}

/** Waits until pending work is done. Some sources wait for timers of a millisecond. */
const settle = async (): Promise<void> => {
  await turns()
  await wait(30)
}

const start = (response: ServerResponse, source: ChunkSource) => {
  const events: string[] = []
  response.on('error', (error) => events.push(String(error)))
  sendChunks(response, source, {
    memory: new BodyMemory(Infinity),
    abort: () => cutConnection(response, source),
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

type Row = readonly [name: string, element: string, timing: Timing, mark: number]

describeConcurrently('sendChunks to a client that reads nothing', (test) => {
  const rows: ReadonlyArray<Row> = [16 * 1024, 64 * 1024].flatMap((mark) =>
    timings.flatMap((timing) =>
      (
        [
          ['small elements', 'x'.repeat(20)],
          ['elements', 'x'.repeat(1000)],
          ['non-ASCII elements', '€'.repeat(300)],
          ['elements of 16,000 bytes', 'x'.repeat(16_000)],
        ] as const
      )
        // one element per millisecond would take too long
        .filter(([name]) => name !== 'small elements' || timing !== 'timer')
        .map(
          ([name, element]) =>
            [`${name}, ${timing}, high-water mark ${mark}`, element, timing, mark] as const,
        ),
    ),
  )
  table<Row>(test, rows, async (_, element, timing, mark) => {
    const { response } = createResponse(mark)
    const observed = observedSource(repeated(element), timing)
    start(response, coalesce(openSource(observed.source), jsonLines(String)))
    let before = -1
    while (before !== observed.pulled) {
      before = observed.pulled
      await settle()
    }
    const buffered = observed.pulled * (Buffer.byteLength(element) + 1)
    assert.ok(buffered > 0 && buffered <= 64 * 1024, `${buffered} bytes`)
    response.destroy()
    await settle()
    assert.is(observed.ended, 1)
  })
})

describeConcurrently('sendChunks', (test) => {
  test('continues when the client reads, and ends the response', async () => {
    const { response, flush, text } = createResponse(16 * 1024)
    const elements = Array.from({ length: 5000 }, (_, index) => String(index))
    const observed = observedSource(elements, 'async')
    const events = start(response, coalesce(openSource(observed.source), jsonLines(String)))
    let requests = 0
    while (!response.writableFinished && requests++ < 1000) {
      flush()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const body = text()
      .split('\r\n\r\n')
      .slice(1)
      .join('\r\n\r\n')
      .replaceAll(/(^|\r\n)[\da-f]+\r\n/g, '')
    assert.is(body.trimEnd(), elements.join('\n'))
    assert.equal([events, observed.ended], [['end'], 1])
  })
  test('requests chunks sequentially', async () => {
    const { response, flush } = createResponse(16 * 1024)
    let pending = 0
    let maximum = 0
    let count = 0
    const next = async () => {
      maximum = Math.max(maximum, ++pending)
      await new Promise((resolve) => setImmediate(resolve))
      pending--
      return ++count > 50
        ? ({ done: true, value: undefined } as const)
        : { done: false, value: 'x'.repeat((count * 997) % 9000) }
    }
    const events = start(response, { length: undefined, next, close: () => undefined })
    for (let turn = 0; turn < 2000 && events.length === 0; turn++) {
      flush()
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal([events, maximum, count], [['end'], 1, 51])
  })
  test('a source of empty chunks does not block the event loop', async () => {
    const { response } = createResponse(16 * 1024)
    let isClosed = false
    start(response, {
      length: undefined,
      next: () => Promise.resolve({ done: false, value: '' }),
      close: () => (isClosed = true),
    })
    await settle()
    response.destroy()
    await settle()
    assert.ok(isClosed)
  })
  for (const [name, fails] of [
    ['rejects', () => Promise.reject(new Error('source failed'))],
    [
      'is neither a string nor bytes',
      () => Promise.resolve({ done: false as const, value: JSON.parse('1') as string }),
    ],
  ] as const)
    test(`destroys the connection after the sent chunks when a chunk ${name}`, async () => {
      const { response, socket, text, flush } = createResponse(16 * 1024)
      let chunks = 0
      let closes = 0
      const events = start(response, {
        length: undefined,
        next: () =>
          chunks++ === 0 ? Promise.resolve({ done: false as const, value: 'first' }) : fails(),
        close: () => closes++,
      })
      flush()
      await settle()
      assert.match(text(), /first\r\n$/)
      assert.equal([socket.destroyed, events, closes], [true, [], 1])
    })
  test('closes the source once when the response closes', async () => {
    for (const when of ['while a chunk is pending', 'while a chunk is buffered']) {
      const { response } = createResponse(16 * 1024)
      let requests = 0
      let closes = 0
      const events = start(response, {
        length: undefined,
        next: async () => {
          requests++
          if (when === 'while a chunk is pending') await turns(10)
          return { done: false, value: 'x'.repeat(20_000) }
        },
        close: () => closes++,
      })
      await new Promise((resolve) => setImmediate(resolve))
      response.destroy()
      await settle()
      assert.equal([requests, closes, events], [1, 1, []])
    }
  })
  test('sends the head before a slow body', async () => {
    const { response, text } = createResponse(16 * 1024)
    start(response, {
      length: undefined,
      next: () => new Promise(() => undefined),
      close: () => undefined,
    })
    await settle()
    assert.match(text(), /^HTTP\/1.1 200 OK\r\n/)
    response.destroy()
  })
})
