/** A tree with blocking operations that stream, in a module that workers can import. What it counts, each thread counts for itself. */
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
import { here } from './executions.ts'

const seen = { asked: 0, ended: 0, aborted: 0 }

async function* endless(how: string, { request: { signal } }: Context) {
  signal.addEventListener('abort', () => seen.aborted++, { once: true })
  try {
    for (;;) {
      seen.asked++
      yield 'x'.repeat(1000)
      if (how === 'signal') await once(signal, 'abort')
      if (how === 'timer') await wait(10)
      if (how === 'computing') {
        await wait(10)
        while (!signal.aborted);
      }
    }
  } finally {
    seen.ended++
  }
}

async function* dying(how: string) {
  yield 1
  await wait(20)
  if (how === 'exit') process.exit(3)
  if (how === 'loop') for (;;);
  throw new Error('it breaks off')
}

async function* refused(): AsyncGenerator<number> {
  yield await Promise.reject(new Conflict('too early'))
}

const streams = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(textStream),
    handle(async function* () {
      yield here()
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
  octets: pipe(
    path('/octets'),
    get(),
    produces(byteStream),
    handle(() => {
      const whole = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
      return [whole.subarray(0, 100_000), whole.subarray(100_000)]
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
  refused: pipe(
    path('/refused'),
    get(),
    produces(jsonStream(int)),
    handle(() => refused()),
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
  seen: pipe(
    path('/seen'),
    get(),
    produces(json(t.record(t.string, t.number))),
    handle(() => seen),
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
