/** Sources of streams that are never sent are closed, because they may hold a file or a connection. */
import { Readable } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Source } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** Number of sources closed before their end. */
let closed = 0

const sources: Readonly<Record<string, () => Source<string>>> = {
  Readable: () =>
    new Readable({
      objectMode: true,
      read() {
        this.push('x')
      },
      destroy: (error, callback) => {
        closed++
        callback(error)
      },
    }),
  ReadableStream: () =>
    new ReadableStream(
      {
        pull: (controller) => controller.enqueue('x'),
        cancel: () => void closed++,
      },
      { highWaterMark: 0 },
    ),
  AsyncIterator: () => {
    const iterator: AsyncIterableIterator<string> = {
      next: () => Promise.resolve({ done: false, value: 'x' }),
      return: () => {
        closed++
        return Promise.resolve({ done: true, value: undefined })
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  },
}

const createSource = (kind: string): Source<string> => sources[kind]?.() ?? []

function* words() {
  try {
    yield* ['a', 'b']
  } finally {
    closed++
  }
}

function* appendExclamationMarks(source: Iterable<string>) {
  for (const word of source) yield `${word}!`
}

const kinds = Object.keys(sources)
const streams = path('/{kind}')

const api = routes({
  plain: pipe(
    streams,
    get('/plain'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => createSource(kind)),
  ),
  events: pipe(
    streams,
    get('/events'),
    produces(sse(string)),
    handle(({ path: { kind } }) => createSource(kind) as Iterable<string>),
  ),
  multi: pipe(
    streams,
    get('/multi'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => multi(createSource(kind), { demand: 2 })),
  ),
  bytes: pipe(
    streams,
    get('/bytes'),
    produces(byteStream),
    handle(({ path: { kind } }) => createSource(kind) as unknown as Source<Uint8Array>),
  ),
  invalidHeader: pipe(
    streams,
    get('/invalid-header'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => ({ ...ok(createSource(kind)), headers: ['no name', 'a'] })),
  ),
  undeclared: pipe(
    streams,
    get('/undeclared'),
    produces(jsonStream(string)),
    handle(({ path: { kind } }) => reply(202, createSource(kind)) as never),
  ),
  replaced: pipe(
    routes({
      replaced: pipe(
        streams,
        get('/replaced'),
        produces(jsonStream(string)),
        responds(299, text),
        handle(({ path: { kind } }) => createSource(kind)),
      ),
    }),
    withFilter(responseFilter(() => reply(299, 'something else'))),
  ),
  removed: pipe(
    routes({
      removed: pipe(
        streams,
        get('/removed'),
        produces(jsonStream(string)),
        responds(304),
        handle(({ path: { kind } }) => createSource(kind)),
      ),
    }),
    withFilter(responseFilter((response) => ({ ...response, status: 304 }))),
  ),
  transformed: pipe(
    routes({
      transformed: pipe(
        streams,
        get('/transformed'),
        produces(jsonStream(string)),
        handle(() => words()),
      ),
    }),
    withFilter(
      responseFilter(async ({ entity }) => ok(appendExclamationMarks(entity as Iterable<string>))),
    ),
  ),
  rejecting: pipe(
    routes({
      rejecting: pipe(
        streams,
        get('/rejecting'),
        produces(jsonStream(string)),
        handle(({ path: { kind } }) => createSource(kind)),
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
        handle(({ path: { kind } }) => createSource(kind)),
      ),
    }),
    withFilter(
      responseFilter(() => {
        throw new Conflict('no')
      }),
    ),
  ),
})

contract('discarded streams', api, (test, call) => {
  for (const kind of kinds)
    for (const [cause, line, status] of [
      ['HEAD', 'HEAD /plain', 200],
      ['HEAD of events', 'HEAD /events', 200],
      ['HEAD of a stream with a demand', 'HEAD /multi', 200],
      ['HEAD of bytes', 'HEAD /bytes', 200],
      ['an invalid header name', 'GET /invalid-header', 500],
      ['an undeclared status', 'GET /undeclared', 500],
      ['a response filter with another entity', 'GET /replaced', 299],
      ['a response filter with status 304', 'GET /removed', 304],
      ['a response filter that throws', 'GET /failing', 409],
      ['a response filter that rejects', 'GET /rejecting', 409],
    ] as const)
      test(`${cause} closes the ${kind}`, async () => {
        closed = 0
        const [method = '', target = ''] = line.split(' ')
        const response = await sendRequest(call, `${method} /${kind}${target}`)
        assert.is(response.status, status)
        await response.text()
        await waitUntil(() => closed === 1)
      })
  test('a response filter may send a transformed source', async () => {
    closed = 0
    const response = await sendRequest(call, 'GET /any/transformed')
    assert.is(await response.text(), '["a!","b!"]')
    assert.is(closed, 1)
  })
})
