/** `conditional`: validators in responses, and errors of the functions that compute them. */
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Forbidden,
  conditional,
  etag,
  fails,
  file,
  get,
  handle,
  head,
  int,
  jsonStream,
  lastModified,
  noContent,
  ok,
  optional,
  path,
  produces,
  query,
  responds,
  routes,
  text,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const changedAt = new Date('1994-11-06T08:49:37.999Z')

const api = routes({
  heading: pipe(
    path('/heading'),
    head(),
    conditional({ etag: () => 'h' }),
    handle(() => undefined),
  ),
  empty: pipe(
    path('/empty'),
    get(),
    conditional(() => ({})),
    handle(() => undefined),
  ),
  weak: pipe(
    path('/weak'),
    get(),
    query({ status: optional(int) }),
    produces(text),
    responds(203, text),
    fails(409),
    conditional((input, { request }) => async () => ({
      etag: { weak: true, opaque: `${input.query.status ?? 0}${request.query ?? ''}` },
    })),
    handle((input) =>
      input.query.status === 203
        ? { ...ok('other'), status: 203 as const }
        : input.query.status === 409
          ? { ...noContent, status: 409 as const }
          : 'weak',
    ),
  ),
  own: pipe(
    path('/own'),
    get(),
    produces(text),
    conditional({ etag: () => 'a', lastModified: () => changedAt }),
    handle(() => pipe(ok('own'), etag('b'), lastModified(new Date(0)))),
  ),
  added: pipe(
    path('/added'),
    get(),
    produces(text),
    conditional({ etag: () => 'a' }),
    handle((_, { response }) => {
      response.addHeader('ETag', '"c"')
      return 'added'
    }),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(jsonStream(int)),
    conditional({ etag: () => 's' }),
    handle(() => [1, 2]),
  ),
  file: pipe(
    path('/file'),
    get(),
    produces(file),
    conditional({ etag: () => 'f' }),
    handle(() => fileURLToPath(import.meta.url)),
  ),
  forbidden: pipe(
    path('/forbidden'),
    get(),
    produces(text),
    conditional(async () => {
      throw new Forbidden('not yours')
    }),
    handle(() => 'forbidden'),
  ),
  thrown: pipe(
    path('/thrown'),
    get(),
    produces(text),
    conditional({
      etag: async () => {
        throw new Error('first')
      },
      lastModified: () => {
        throw new Error('second')
      },
    }),
    handle(() => 'thrown'),
  ),
  failing: pipe(
    path('/failing'),
    get(),
    produces(text),
    conditional({ etag: async () => 'a' }),
    handle((): string => {
      throw new Error('handler failed')
    }),
  ),
})

/** Returns the validators of a response. */
const headersOf = ({ headers }: Response) =>
  Object.fromEntries(
    ['etag', 'last-modified'].flatMap((name) =>
      headers.has(name) ? [[name, headers.get(name)]] : [],
    ),
  )

valueContract('validators of conditional operations', api, (test, call) => {
  const send = (target: string, headers: Record<string, string> = {}) =>
    sendRequest(call, target, { headers })

  test('a HEAD operation without a body has validators', async () => {
    const response = await send('HEAD /heading')
    assert.equal([response.status, headersOf(response)], [204, { etag: '"h"' }])
    assert.is((await send('HEAD /heading', { 'If-None-Match': '"h"' })).status, 304)
  })
  test('a resource without validators exists', async () => {
    assert.is((await send('GET /empty', { 'If-Match': '*' })).status, 204)
    assert.is((await send('GET /empty', { 'If-Match': '"a"' })).status, 412)
  })
  test('one function computes the state from the input and the context', async () => {
    const response = await send('GET /weak?status=7')
    assert.is(response.headers.get('etag'), 'W/"7status=7"')
    const again = await send('GET /weak?status=7', { 'If-None-Match': '"7status=7"' })
    assert.is(again.status, 304)
  })
  test('all success responses have validators, and failures have none', async () => {
    assert.is((await send('GET /weak?status=203')).headers.get('etag'), 'W/"203status=203"')
    const failed = await send('GET /weak?status=409')
    assert.equal([failed.status, failed.headers.get('etag')], [409, null])
  })
  test('validators of the reply take precedence', async () => {
    assert.equal(headersOf(await send('GET /own')), {
      etag: '"b"',
      'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
    })
  })
  test('a stream has validators', async () => {
    const response = await send('GET /stream')
    assert.equal([response.headers.get('etag'), await response.text()], ['"s"', '[1,2]'])
    assert.is((await send('GET /stream', { 'If-None-Match': '"s"' })).status, 304)
  })
  test('the ETag replaces that of a file, and ranges are compared with it', async () => {
    const range = { Range: 'bytes=0-3' }
    const response = await send('GET /file', { ...range, 'If-Range': '"f"' })
    assert.equal([response.status, response.headers.get('etag')], [206, '"f"'])
    assert.is(await response.text(), '/** ')
    const whole = await send('GET /file', { ...range, 'If-Range': '"g"' })
    await whole.body?.cancel()
    assert.is(whole.status, 200)
  })
  test('an ETag added with addHeader takes precedence', async () => {
    assert.is((await send('GET /added')).headers.get('etag'), '"c"')
  })
  table(
    test,
    [
      ['an HttpError of a function determines the response', '/forbidden', 403],
      ['errors of both functions result in 500', '/thrown', 500],
      ['an error of the handler after an asynchronous function results in 500', '/failing', 500],
    ] as const,
    async (_, target, status) => assert.is((await send(`GET ${target}`)).status, status),
  )
})

describe('conditional operations: timeouts', (test) => {
  test('the handler does not run if the validators arrive after the timeout', async () => {
    let calls = 0
    const etags = new EventEmitter()
    const etagLater = once(etags, 'arrival').then(() => 'a')
    const late = pipe(
      path('/late'),
      get(),
      produces(text),
      conditional({ etag: () => etagLater }),
      handle(() => String(++calls)),
    )
    const call = inMemory(routes({ late }), {
      'fw.http.handler-timeout': 20,
      logger: silentLogger,
    })
    assert.is((await call('http://localhost/late')).status, 503)
    etags.emit('arrival')
    await etagLater
    await new Promise(setImmediate)
    assert.is(calls, 0)
  })
})
