/** A route tree of blocking operations that stream, in a module that workers can import. Each thread has its own counters. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import type { Context } from '../../src/index.ts'
import {
  blocking,
  byteStream,
  Conflict,
  get,
  handle,
  int,
  json,
  jsonStream,
  multi,
  ndjson,
  path,
  produces,
  routes,
  sse,
  status,
  string,
  text,
  textStream,
} from '../../src/index.ts'
import * as t from 'io-ts'
import { currentThread } from '../support/executions.ts'

const counters = { pulled: 0, ended: 0, aborted: 0 }

async function* endless(how: string, { request: { signal } }: Context) {
  signal.addEventListener('abort', () => counters.aborted++, { once: true })
  try {
    for (;;) {
      counters.pulled++
      yield 'x'.repeat(1000)
      if (how === 'signal') await once(signal, 'abort')
      if (how === 'timer') await wait(10)
      if (how === 'computing') {
        await wait(10)
        while (!signal.aborted);
      }
    }
  } finally {
    counters.ended++
  }
}

async function* dying(how: string) {
  yield 1
  await wait(20)
  if (how === 'exit') process.exit(3)
  if (how === 'loop') for (;;);
  throw new Error('source failed')
}

async function* rejecting(): AsyncGenerator<number> {
  yield await Promise.reject(new Conflict('too early'))
}

const streams = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(textStream),
    handle(async function* () {
      yield currentThread()
      await wait(5)
      yield ' €'
    }),
  ),
  numbers: pipe(
    path('/numbers/{count}', { count: int }),
    get(),
    status(222),
    produces(jsonStream(int)),
    handle(({ path: { count } }) =>
      multi(
        Array.from({ length: count }, (_, index) => index),
        { status: 222, headers: { foo: 'bar' } },
      ),
    ),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(byteStream),
    handle(() => {
      const data = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
      return [data.subarray(0, 100_000), data.subarray(100_000)]
    }),
  ),
  endless: pipe(
    path('/endless/{how}'),
    get(),
    produces(textStream),
    handle(({ path: { how } }, context) => endless(how, context)),
  ),
  events: pipe(
    path('/events/{how}'),
    get(),
    produces(sse(string)),
    handle(({ path: { how } }, context) => endless(how, context)),
  ),
  lines: pipe(
    path('/lines/{how}'),
    get(),
    produces(ndjson(string)),
    handle(({ path: { how } }, context) => endless(how, context)),
  ),
  dying: pipe(
    path('/dying/{how}'),
    get(),
    produces(jsonStream(int)),
    handle(({ path: { how } }) => dying(how)),
  ),
  rejected: pipe(
    path('/rejected'),
    get(),
    produces(jsonStream(int)),
    handle(() => rejecting()),
  ),
  unsendable: pipe(
    path('/unsendable'),
    get(),
    produces(textStream),
    handle((_, { response }) => {
      response.addHeader('Transfer-Encoding', 'gzip')
      return ['sent']
    }),
  ),
  counters: pipe(
    path('/counters'),
    get(),
    produces(json(t.record(t.string, t.number))),
    handle(() => counters),
  ),
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
})

export const api = pipe(routes({ streams }), blocking)
export const streamingModule: string = import.meta.url
