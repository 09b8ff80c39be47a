/** A server of streams that tell what happens to them, and clients that listen. */
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
import type { RawConnection } from './raw-connection.ts'

/** What has happened to the sources. */
export const seen = { asked: 0, ended: 0, aborted: 0 }

export const forget = (): void => {
  seen.asked = seen.ended = seen.aborted = 0
}

const element = 'x'.repeat(1000)

function* endless() {
  try {
    for (;;) {
      seen.asked++
      yield element
    }
  } finally {
    seen.ended++
  }
}

async function* endlessLater() {
  try {
    for (;;) {
      seen.asked++
      if (seen.asked % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      yield element
    }
  } finally {
    seen.ended++
  }
}

/** Gives one element, and then waits in one of several ways. */
async function* waiting(how: string, { request: { signal } }: Context) {
  signal.addEventListener('abort', () => seen.aborted++, { once: true })
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
    seen.ended++
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
          ? multi(endlessLater(), { demand: 10 })
          : endlessLater(),
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
            seen.asked++
            controller.enqueue(new Uint8Array(1000))
          },
          cancel: () => {
            seen.ended++
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
            seen.ended++
            then(null)
          },
        }),
    ),
  ),
  silentWeb: pipe(
    path('/silent/web'),
    get(),
    produces(byteStream),
    handle(() => new ReadableStream<Uint8Array>({ cancel: () => void seen.ended++ })),
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
    handle(() => endlessLater()),
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

export const begin = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.shutdown.timeout': 0,
    ...options,
  })

/** What comes on a connection, as text. */
export const listening = (connection: RawConnection) => {
  const { socket } = connection
  const heard = { text: '', octets: 0, isClosed: false }
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    heard.octets += chunk.length
    heard.text = (heard.text + chunk.toString('latin1')).slice(-1000)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => (heard.isClosed = true))
  return heard
}
