/** The headers of decoded responses and of client errors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import { decodedResponse } from '../../src/client/decoded-response.ts'
import {
  fails,
  get,
  handle,
  int,
  ok,
  path,
  produces,
  reply,
  routes,
  text,
  withCookie,
  withHeader,
} from '../../src/index.ts'
import { clientContract, errorIn, left, right } from '../support/clients.ts'
import { describe } from '../support/describe.ts'

const marked = withHeader('X-Shelf', '7')
const find = pipe(path('/books'), get(), produces(text), fails(404, text))

const api = routes({
  find: pipe(
    find,
    handle(() =>
      pipe(
        ok('Emma'),
        withHeader('Vary', 'Accept'),
        withHeader('Vary', 'Origin'),
        withCookie({ name: 'a', value: '1' }),
        withCookie({ name: 'b', value: '2' }),
      ),
    ),
  ),
  lost: pipe(
    path('/lost'),
    get(),
    produces(text),
    fails(404, text),
    handle(() => marked(reply(404, 'lost'))),
  ),
  number: pipe(
    path('/number'),
    get(),
    produces(int),
    handle(() => marked(ok(0.5))),
  ),
})

clientContract('headers of decoded responses', api, (test, createClient) => {
  test('are an object of the platform, with joined values and separate cookies', async () => {
    const { headers } = await right(createClient().find())
    assert.instance(headers, Headers)
    assert.is(headers.get('content-type'), 'text/plain;charset=UTF-8')
    assert.is(headers.get('VARY'), 'Accept, Origin')
    assert.equal(headers.getSetCookie(), ['a=1', 'b=2'])
    assert.is(headers.get('x-shelf'), null)
  })
  test('are the same object each time', async () => {
    const response = await right(createClient().find())
    assert.is(response.headers, response.headers)
    assert.is({ ...response }.headers, response.headers)
  })
  test('belong to declared failures', async () => {
    const failure = await left(createClient().lost())
    assert.is('headers' in failure && headerOf('X-Shelf')(failure), '7')
  })
  test('belong to errors about responses', async () => {
    const calls = createClient()
    const undecodable = await errorIn(calls.number())
    assert.ok(undecodable._tag === 'DecodeError')
    assert.is(undecodable.headers.get('X-Shelf'), '7')
    assert.is(undecodable.headers, undecodable.headers)
    const { url } = await right(calls.find())
    const baseUrl = url.replace('/books', '/none')
    const undeclared = await errorIn(calls.number(undefined, { baseUrl }))
    assert.ok(undeclared._tag === 'UndeclaredStatus')
    assert.is(undeclared.headers.get('content-type'), 'application/problem+json')
  })
  test('belong to the error about a body that is too large', async () => {
    const error = await errorIn(createClient({ maxBodySize: 2 }).find())
    assert.ok(error._tag === 'ResponseTooLarge')
    assert.is(error.headers.get('Vary'), 'Accept, Origin')
  })
})

const responseWith = (headers: ReadonlyArray<string>) =>
  decodedResponse({ status: 200, headers, url: '', body: null }, 'Emma')

describe('decodedResponse', (test) => {
  test('creates headers only when they are read', () => {
    const Original = globalThis.Headers
    let created = 0
    globalThis.Headers = class extends Original {
      constructor() {
        super()
        created++
      }
    }
    try {
      const response = responseWith(['a', '1'])
      assert.equal([response.status, response.body, created], [200, 'Emma', 0])
      assert.equal([response.headers.get('a'), created], ['1', 1])
      assert.equal([response.headers.has('b'), created], [false, 1])
    } finally {
      globalThis.Headers = Original
    }
  })
  test('omits headers that the platform does not accept', () => {
    const { headers } = responseWith(['x y', '1', 'a', 'b\0c', 'd', '€', 'e', 'é'])
    assert.equal([...headers], [['e', 'é']])
  })
  test('is frozen', () => assert.ok(Object.isFrozen(responseWith([]))))
})
