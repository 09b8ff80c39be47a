/** Conditional requests of clients to operations that declare their preconditions. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import {
  body,
  conditional,
  get,
  handle,
  path,
  produces,
  put,
  routes,
  text,
} from '../../src/index.ts'
import { clientContract, left, right } from '../support/clients.ts'

const versioned = { etag: () => 'v1' }
const api = routes({
  read: pipe(
    path('/note'),
    get(),
    produces(text),
    conditional(versioned),
    handle(() => 'buy milk'),
  ),
  replace: pipe(
    path('/note'),
    put(),
    body(text),
    produces(text),
    conditional(versioned),
    handle((input) => input.body),
  ),
})

clientContract('conditional requests', api, (test, createClient) => {
  test('a matching If-None-Match returns a declared 304', async () => {
    const { status, body: content } = await right(createClient().read())
    assert.equal([status, content], [200, 'buy milk'])
    const again = await right(createClient().read({}, { headers: { 'If-None-Match': '"v1"' } }))
    assert.equal([again.status, again.body], [304, undefined])
    assert.is(headerOf('etag')(again), '"v1"')
  })
  test('an outdated If-Match returns a declared 412 with the current ETag', async () => {
    const failure = await left(
      createClient().replace({ body: 'buy tea' }, { headers: { 'If-Match': '"v0"' } }),
    )
    assert.ok('status' in failure && failure.status === 412)
    assert.is(headerOf('etag')(failure), '"v1"')
  })
})
