/** A server of response streams that count reads and closes, and a client that collects bytes. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import type { Context } from '../../src/index.ts'
import {
  byteStream,
  get,
  handle,
  int,
  jsonStream,
  multi,
  ndjson,
  path,
  produces,
  query,
  routes,
  sse,
  string,
  text,
  textStream,
  withDefault,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server, ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import type { RawConnection } from '../support/raw-connection.ts'

/** Counts requested elements, closed sources and aborted signals. */
export const counters = { requested: 0, ended: 0, aborted: 0 }

/** Resets the counters. */
export const resetCounters = (): void => {
  counters.requested = counters.ended = counters.aborted = 0
}

const element = 'x'.repeat(1000)

function* endless() {
  try {
    for (;;) {
      counters.requested++
      yield element
    }
  } finally {
    counters.ended++
  }
}

async function* endlessAsync() {
  try {
    for (;;) {
      counters.requested++
      if (counters.requested % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      yield element
    }
  } finally {
    counters.ended++
  }
}

/** Yields one element, then waits for an abort (`signal`), in an abortable timer (`cut`), or between further elements. */
async function* waiting(how: string, { request: { signal } }: Context) {
  signal.addEventListener('abort', () => counters.aborted++, { once: true })
  try {
    yield 1
    if (how === 'signal') await once(signal, 'abort')
    else if (how === 'cut') await wait(60_000, undefined, { signal })
    else
      for (;;) {
        await wait(20)
        yield 2
      }
  } finally {
    counters.ended++
  }
}

async function* broken(after: number) {
  for (let n = 0; n < after; n++) {
    yield n
    await wait(5)
  }
  throw new Error('secret')
}

const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'x'.repeat(32 * 1024 * 1024)),
  ),
  endless: pipe(
    path('/endless/{how}'),
    get(),
    produces(textStream),
    handle(({ path: { how } }) =>
      how === 'sync'
        ? endless()
        : how === 'many'
          ? multi(endlessAsync(), { demand: 10 })
          : endlessAsync(),
    ),
  ),
  web: pipe(
    path('/web'),
    get(),
    produces(byteStream),
    handle(
      () =>
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            counters.requested++
            controller.enqueue(new Uint8Array(1000))
          },
          cancel: () => {
            counters.ended++
          },
        }),
    ),
  ),
  silentReadable: pipe(
    path('/silent/readable'),
    get(),
    produces(byteStream),
    handle(
      () =>
        new Readable({
          read: () => undefined,
          destroy: (_, then) => {
            counters.ended++
            then(null)
          },
        }),
    ),
  ),
  silentWeb: pipe(
    path('/silent/web'),
    get(),
    produces(byteStream),
    handle(() => new ReadableStream<Uint8Array>({ cancel: () => void counters.ended++ })),
  ),
  waiting: pipe(
    path('/waiting/{how}'),
    get(),
    produces(ndjson(int)),
    handle(({ path: { how } }, context) => waiting(how, context)),
  ),
  broken: pipe(
    path('/broken/{after}', { after: int }),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { after } }) => broken(after)),
  ),
  numbers: pipe(
    path('/numbers'),
    get(),
    produces(jsonStream(int)),
    handle(() => [1, 2, 3]),
  ),
  quiet: pipe(
    path('/quiet'),
    get(),
    query({ first: withDefault(int, 0) }),
    produces(sse(string)),
    handle(async function* (input) {
      if (input.query.first > 0) await wait(input.query.first)
      yield 'one'
      await wait(1500)
      yield 'two'
    }),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(string)),
    handle(() => endlessAsync()),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(jsonStream(int)),
    handle(async function* () {
      yield 1
      await wait(1500)
      yield 2
    }),
  ),
})

/** Starts a server for the streams. */
export const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.shutdown.timeout': 0,
    // other processes may delay the event loop
    'fw.http.overload.enabled': false,
    ...options,
  })

/** Collects the bytes that a connection receives. `text` is limited to the last 1000 characters. */
export const collectBytes = (connection: RawConnection) => {
  const { socket } = connection
  const received = { text: '', bytes: 0, isClosed: false }
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    received.bytes += chunk.length
    received.text = (received.text + chunk.toString('latin1')).slice(-1000)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => (received.isClosed = true))
  return received
}
