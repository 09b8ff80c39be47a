/** HEAD and OPTIONS, derived from the operations of a path or declared. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  allow,
  del,
  get,
  handle,
  head,
  ok,
  options,
  path,
  produces,
  put,
  reply,
  responds,
  responseHeader,
  routes,
  text,
  withHeader,
} from '../../../src/index.ts'
import { testRequests, sendRequest, returns } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const page = path('/page')
const declared = path('/declared')
const noContent = (): void => undefined

const api = routes({
  page: pipe(
    page,
    get(),
    responseHeader('X-Kind', 'page'),
    produces(text),
    handle((_, { request }) => (request.method === 'HEAD' ? 'höt' : 'page')),
  ),
  save: pipe(page, put(), handle(noContent)),
  head: pipe(
    declared,
    head(),
    responds(200),
    handle(() => pipe(reply(200), withHeader('X-Kind', 'head'))),
  ),
  get: pipe(declared, get(), produces(text), handle(returns('get'))),
  options: pipe(
    declared,
    options(),
    produces(text),
    handle(() => pipe(ok('options'), allow('GET'))),
  ),
  empty: pipe(path('/empty'), get(), handle(noContent)),
  headOnly: pipe(path('/head-only'), head(), handle(noContent)),
  remove: pipe(path('/removable'), del(), handle(noContent)),
  overlap: pipe(path('/{name}'), put(), handle(noContent)),
})

contract('derived methods', api, (test, call) => {
  test('HEAD sends the headers of GET without a body', async () => {
    const response = await sendRequest(call, 'HEAD /page')
    assert.is(response.status, 200)
    assert.is(await response.text(), '')
    assert.is(response.headers.get('x-kind'), 'page')
    assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
    assert.is(response.headers.get('content-length'), '4') // Length of the handler's result in bytes.
  })

  test('a declared HEAD operation takes precedence', async () => {
    const { status, headers } = await sendRequest(call, 'HEAD /declared')
    assert.equal([status, headers.get('x-kind')], [200, 'head'])
  })

  testRequests(test, call, [
    ['GET next to a declared HEAD', 'GET /declared', 'get'],
    ['GET of a path with HEAD only', 'GET /head-only', 405],
    ['HEAD of an operation without a body', 'HEAD /empty', 204],
    ['HEAD of a path without GET', 'HEAD /removable', 405],
    ['HEAD of an unknown path', 'HEAD /not/there', 404],
    ['OPTIONS of an unknown path', 'OPTIONS /not/there', 404],
    ['a declared OPTIONS', 'OPTIONS /declared', 'options'],
  ])

  test('HEAD of a path without GET has no body', async () => {
    const response = await sendRequest(call, 'HEAD /removable')
    assert.is(await response.text(), '')
    assert.is(response.headers.get('content-type'), 'application/problem+json')
  })

  table(
    test,
    [
      ['OPTIONS lists the methods of the path', '/page', 204, 'GET, PUT, HEAD, OPTIONS'],
      [
        'OPTIONS lists the methods of all matching templates once',
        '/head-only',
        204,
        'HEAD, PUT, OPTIONS',
      ],
      ['OPTIONS lists HEAD only with GET', '/removable', 204, 'DELETE, PUT, OPTIONS'],
      ['a declared OPTIONS sends its own Allow', '/declared', 200, 'GET'],
    ] as const,
    async (_, target, status, methods) => {
      const response = await sendRequest(call, `OPTIONS ${target}`)
      assert.equal([response.status, response.headers.get('allow')], [status, methods])
    },
  )
})
