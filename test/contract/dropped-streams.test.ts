/** Streams that are never sent: their sources are left all the same, since they may hold a file or a connection. G4, G8 of what may happen. */
import { Readable } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Source } from '../../src/index.ts'
import {
  byteStream,
  Conflict,
  get,
  handle,
  jsonStream,
  multi,
  ok,
  path,
  produces,
  reply,
  responds,
  responseFilter,
  routes,
  sse,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'
import { until } from '../support/workers.ts'

/** How often a source was left without having been read to its end. */
let left = 0

const sources: Readonly<Record<string, () => Source<string>>> = {
  readable: () =>
    new Readable({
      objectMode: true,
      read() {
        this.push('x')
      },
      destroy: (error, then) => {
        left++
        then(error)
      },
    }),
  web: () =>
    new ReadableStream(
      {
        pull: (controller) => controller.enqueue('x'),
        cancel: () => void left++,
      },
      { highWaterMark: 0 },
    ),
  iterator: () => {
    const iterator: AsyncIterableIterator<string> = {
      next: () => Promise.resolve({ done: false, value: 'x' }),
      return: () => {
        left++
        return Promise.resolve({ done: true, value: undefined })
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  },
}

const source = (kind: string): Source<string> => sources[kind]?.() ?? []

function* words() {
  try {
    yield* ['a', 'b']
  } finally {
    left++
  }
}

function* loud(quiet: Iterable<string>) {
  for (const word of quiet) yield `${word}!`
}

const kinds = Object.keys(sources)
const streams = path('/{kind}')

const api = routes({
  plain: pipe(
    streams,
    get('/plain'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => source(kind)),
  ),
  events: pipe(
    streams,
    get('/events'),
    produces(sse(string)),
    handle(({ path: { kind } }) => source(kind) as Iterable<string>),
  ),
  multi: pipe(
    streams,
    get('/multi'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => multi(source(kind), { demand: 2 })),
  ),
  octets: pipe(
    streams,
    get('/octets'),
    produces(byteStream),
    handle(({ path: { kind } }) => source(kind) as unknown as Source<Uint8Array>),
  ),
  unsendable: pipe(
    streams,
    get('/unsendable'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => ({ ...ok(source(kind)), headers: ['no name', 'a'] })),
  ),
  undeclared: pipe(
    streams,
    get('/undeclared'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => reply(202, source(kind)) as never),
  ),
  replaced: pipe(
    routes({
      replaced: pipe(
        streams,
        get('/replaced'),
        produces(jsonStream(string), text),
        responds(299, text),
        handle(({ path: { kind } }) => source(kind)),
      ),
    }),
    withFilter(responseFilter(() => reply(299, 'something else'))),
  ),
  emptied: pipe(
    routes({
      emptied: pipe(
        streams,
        get('/emptied'),
        produces(jsonStream(string)),
        responds(304),
        handle(({ path: { kind } }) => source(kind)),
      ),
    }),
    withFilter(responseFilter((answer) => ({ ...answer, status: 304 }))),
  ),
  made: pipe(
    routes({
      made: pipe(
        streams,
        get('/made'),
        produces(jsonStream(string)),
        handle(() => words()),
      ),
    }),
    withFilter(responseFilter(async ({ entity }) => ok(loud(entity as Iterable<string>)))),
  ),
  later: pipe(
    routes({
      later: pipe(
        streams,
        get('/later'),
        produces(jsonStream(string)),
        handle(({ path: { kind } }) => source(kind)),
      ),
    }),
    withFilter(
      responseFilter(async () => {
        await Promise.reject(new Conflict('no'))
      }),
    ),
  ),
  failing: pipe(
    routes({
      failing: pipe(
        streams,
        get('/failing'),
        produces(jsonStream(string)),
        handle(({ path: { kind } }) => source(kind)),
      ),
    }),
    withFilter(
      responseFilter(() => {
        throw new Conflict('no')
      }),
    ),
  ),
})

contract('a stream that is never sent', api, (test, call) => {
  for (const kind of kinds)
    for (const [how, line, status] of [
      ['HEAD', 'HEAD /plain', 200],
      ['HEAD of events', 'HEAD /events', 200],
      ['HEAD of a stream with a demand', 'HEAD /multi', 200],
      ['HEAD of octets', 'HEAD /octets', 200],
      ['a head that cannot be sent', 'GET /unsendable', 500],
      ['a status that is not declared', 'GET /undeclared', 500],
      ['a response filter that answers something else', 'GET /replaced', 299],
      ['a response filter that answers without content', 'GET /emptied', 304],
      ['a response filter that fails', 'GET /failing', 409],
      ['a response filter that fails later', 'GET /later', 409],
    ] as const)
      test(`${how}: leaves its ${kind}`, async () => {
        left = 0
        const [method = '', target = ''] = line.split(' ')
        const response = await ask(call, `${method} /${kind}${target}`)
        assert.is(response.status, status)
        await response.text()
        await until(() => left === 1)
      })
  test('is sent all the same by a filter that makes another one of it', async () => {
    left = 0
    const response = await ask(call, 'GET /any/made')
    assert.is(await response.text(), '["a!","b!"]')
    assert.is(left, 1)
  })
})
