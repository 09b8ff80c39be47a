/** `evaluatePreconditions`: conditional requests (RFC 9110, 13). */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  cache,
  contentLocation,
  etag,
  evaluatePreconditions,
  expires,
  fails,
  get,
  handle,
  json,
  lastModified,
  noContent,
  ok,
  path,
  produces,
  put,
  responds,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { testContext } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const day = 'Sun, 06 Nov 1994 08:49:37 GMT'
const earlier = 'Sun, 06 Nov 1994 08:49:36 GMT'

/** Routes of a note with a version and a date of its last change. */
const notes = () => {
  const state = { version: 1, changed: new Date('1994-11-06T08:49:37.999Z') }
  const current = () => ({ etag: `v${state.version}`, lastModified: state.changed })
  const note = pipe(path('/note'))
  return routes({
    read: pipe(
      note,
      get(),
      produces(text, json(string)),
      cache({ maxAge: 60 }),
      responds(304),
      fails(412),
      handle((_, context) =>
        pipe(
          evaluatePreconditions(context, current()),
          O.map((reply) => pipe(reply, expires(state.changed), contentLocation('/note/1'))),
          O.getOrElseW(() =>
            pipe(ok(`v${state.version}`), etag(`v${state.version}`), lastModified(state.changed)),
          ),
        ),
      ),
    ),
    change: pipe(
      note,
      put(),
      responds(204),
      fails(412),
      handle((_, context) => {
        const failure = evaluatePreconditions<412>(context, current())
        if (O.isSome(failure)) return failure.value
        state.version++
        state.changed = new Date(state.changed.getTime() + 5000)
        return pipe(noContent, etag(`v${state.version}`), lastModified(state.changed))
      }),
    ),
    dated: pipe(
      path('/dated'),
      get(),
      produces(text),
      responds(304),
      fails(412),
      handle((_, context) =>
        pipe(
          evaluatePreconditions(context, { lastModified: state.changed }),
          O.getOrElseW(() => 'dated'),
        ),
      ),
    ),
    absent: pipe(
      path('/absent'),
      put(),
      responds(201),
      fails(412),
      handle((_, context) => {
        const failure = evaluatePreconditions<412>(context)
        return O.isSome(failure) ? failure.value : { ...noContent, status: 201 as const }
      }),
    ),
  })
}

contract('conditional requests', notes, (test, call) => {
  const send = (line: string, headers: Record<string, string>) =>
    sendRequest(call, line, { headers })
  const names = ['etag', 'last-modified', 'cache-control', 'vary', 'expires', 'content-location']
  const validatorsOf = ({ headers }: Response) =>
    Object.fromEntries(
      names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])),
    )

  test('a request without conditions proceeds', async () => {
    const response = await send('GET /note', {})
    assert.equal([response.status, await response.text()], [200, 'v1'])
    assert.equal(validatorsOf(response), {
      etag: '"v1"',
      'last-modified': day,
      'cache-control': 'max-age=60',
      vary: 'Accept',
    })
  })
  for (const method of ['GET', 'HEAD'])
    test(`${method} with a matching If-None-Match returns 304 with cache headers`, async () => {
      const response = await send(`${method} /note`, { 'If-None-Match': 'W/"v1"' })
      assert.equal([response.status, await response.text()], [304, ''])
      assert.equal(validatorsOf(response), {
        etag: '"v1"',
        'cache-control': 'max-age=60',
        vary: 'Accept',
        expires: day,
        'content-location': '/note/1',
      })
      assert.is(response.headers.get('content-type'), null)
      assert.is(response.headers.get('content-length'), null)
    })
  test('If-Modified-Since is compared with the last change', async () => {
    assert.is((await send('GET /note', { 'If-Modified-Since': day })).status, 304)
    assert.is((await send('GET /note', { 'If-Modified-Since': earlier })).status, 200)
    assert.is((await send('GET /note', { 'If-Modified-Since': '2099' })).status, 200)
  })
  test('a 304 without an ETag has Last-Modified', async () => {
    const response = await send('GET /dated', { 'If-Modified-Since': day })
    assert.is(response.status, 304)
    assert.equal(validatorsOf(response), { 'last-modified': day })
  })
  test('a failing If-Unmodified-Since returns 412 with Last-Modified', async () => {
    const response = await send('GET /dated', { 'If-Unmodified-Since': earlier })
    assert.equal([response.status, await response.text()], [412, ''])
    assert.equal(validatorsOf(response), { 'last-modified': day })
  })
  test('PUT with an outdated If-Match returns 412', async () => {
    const conditions = { 'If-Match': '"v1"', 'If-Unmodified-Since': day }
    const changed = await send('PUT /note', conditions)
    assert.is(changed.status, 204)
    assert.is(changed.headers.get('etag'), '"v2"')
    const second = await send('PUT /note', conditions)
    assert.equal([second.status, await second.text()], [412, ''])
    assert.equal(validatorsOf(second), {
      etag: '"v2"',
      'last-modified': 'Sun, 06 Nov 1994 08:49:42 GMT',
    })
    assert.is((await send('GET /note', { 'If-None-Match': '"v1"' })).status, 200)
    assert.is((await send('GET /note', { 'If-None-Match': '"v2"' })).status, 304)
  })
  test('PUT with a matching If-None-Match returns 412, with If-Modified-Since 204', async () => {
    assert.is((await send('PUT /note', { 'If-None-Match': '*' })).status, 412)
    assert.is((await send('PUT /note', { 'If-Modified-Since': day })).status, 204)
  })
  test('PUT of an absent resource evaluates If-Match and If-None-Match', async () => {
    assert.is((await send('PUT /absent', { 'If-Match': '*' })).status, 412)
    assert.is((await send('PUT /absent', { 'If-Match': 'v1' })).status, 412)
    assert.is((await send('PUT /absent', { 'If-None-Match': '*' })).status, 201)
    assert.is((await send('PUT /absent', {})).status, 201)
  })
  test('If-None-Match and If-Match with 15 KB of ETags are evaluated', async () => {
    const tags = `${'"a",'.repeat(3750)}"v0"`
    assert.is((await send('GET /dated', { 'If-None-Match': tags })).status, 200)
    assert.is((await send('GET /dated', { 'If-Match': tags })).status, 412)
  })
})

const contextWith = (...headers: ReadonlyArray<string>) => testContext({ request: { headers } })

describe('evaluatePreconditions', (test) => {
  table(
    test,
    [
      ['a weak ETag', { weak: true, opaque: 'v1' }, ['ETag', 'W/"v1"']],
      ['a string as a strong ETag', 'v1', ['ETag', '"v1"']],
    ] as const,
    (_, tag, headers) =>
      assert.equal(
        pipe(
          evaluatePreconditions(contextWith('If-None-Match', 'v1'), { etag: tag }),
          O.map((reply) => [reply.status, reply.headers]),
        ),
        O.some([304, headers]),
      ),
  )
  test('validators without values represent an existing resource', () => {
    assert.ok(O.isNone(evaluatePreconditions(contextWith('If-Match', '*'), {})))
    assert.ok(O.isSome(evaluatePreconditions(contextWith('If-Match', '*'))))
    assert.ok(
      O.isNone(evaluatePreconditions(contextWith(), { etag: undefined, lastModified: undefined })),
    )
  })
})
