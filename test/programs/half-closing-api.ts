/** A route tree for clients that half-close their connections, in a module that workers can import. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  body,
  byteStream,
  Conflict,
  file,
  get,
  handle,
  json,
  jsonStream,
  multipartOutput,
  ndjson,
  path,
  post,
  produces,
  query,
  routes,
  sse,
  text,
  textStream,
  withDefault,
  int,
} from '../../src/index.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Events recorded by handlers and sources. */
export const events: string[] = []

async function* endless<A>(element: A): AsyncGenerator<A> {
  try {
    for (;;) {
      yield element
      await wait(5)
    }
  } finally {
    events.push('source ended')
  }
}

const delay = query({ ms: withDefault(int, 30) })

export const large = 3_000_000

export const api = routes({
  now: pipe(
    path('/now'),
    get(),
    produces(text),
    handle(() => 'now'),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(text),
    delay,
    handle(async ({ query: { ms } }, { request: { signal } }) => {
      signal.addEventListener('abort', () => events.push('aborted'))
      events.push('started')
      await wait(ms)
      return 'slow'
    }),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(text),
    produces(text),
    handle(async ({ body: sent }) => {
      await wait(30)
      return sent
    }),
  ),
  json: pipe(
    path('/json'),
    get(),
    produces(json(t.type({ a: t.number }))),
    handle(() => wait(30, { a: 1 })),
  ),
  file: pipe(
    path('/file'),
    get(),
    produces(file),
    handle(async (_, { request }) => {
      await wait(30)
      return request.header('X-File') ?? ''
    }),
  ),
  error: pipe(
    path('/error'),
    get(),
    handle(async () => {
      await wait(30)
      throw new Conflict('no')
    }),
  ),
  aborts: pipe(
    path('/aborts'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      events.push('started')
      return wait(60_000, 'never', { signal })
    }),
  ),
  late: pipe(
    path('/late'),
    get(),
    produces(text),
    handle(async (_, { request }) => {
      await waitUntil(() => request.signal.aborted)
      return String(request.signal.aborted)
    }),
  ),
  never: pipe(
    path('/never'),
    get(),
    produces(text),
    handle(async (_, { onEnd }) => {
      onEnd(() => events.push('ended'))
      events.push('started')
      return new Promise<string>(() => undefined)
    }),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(text)),
    handle(() => endless('x')),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(ndjson(t.number)),
    handle(() => endless(1)),
  ),
  array: pipe(
    path('/array'),
    get(),
    produces(jsonStream(t.number)),
    handle(() => endless(1)),
  ),
  texts: pipe(
    path('/texts'),
    get(),
    produces(textStream),
    handle(() => endless('x')),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(byteStream),
    handle(() => endless(new Uint8Array(10))),
  ),
  parts: pipe(
    path('/parts'),
    get(),
    produces(multipartOutput({ lines: ndjson(t.number) })),
    handle(() => ({ lines: endless(1) })),
  ),
  lateLines: pipe(
    path('/late-lines'),
    get(),
    produces(ndjson(t.number)),
    handle(async (_, { request: { signal } }) => {
      await once(signal, 'abort')
      return endless(1)
    }),
  ),
  blocking: pipe(
    path('/blocking'),
    get(),
    produces(text),
    delay,
    handle(async ({ query: { ms } }, { request: { signal } }) => {
      await wait(ms)
      return `blocking ${signal.aborted}`
    }),
    blocking,
  ),
  blockingLines: pipe(
    path('/blocking-lines'),
    get(),
    produces(ndjson(t.number)),
    handle(() => endless(1)),
    blocking,
  ),
})
