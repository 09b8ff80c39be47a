/** HEAD and OPTIONS: derived from what a path has, unless they are declared. */
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
} from '../../src/index.ts'
import { answers, ask, says } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const page = path('/page')
const own = path('/own')
const nothing = (): void => undefined

const api = routes({
  page: pipe(
    page,
    get(),
    responseHeader('X-Kind', 'page'),
    produces(text),
    handle((_, { request }) => (request.method === 'HEAD' ? 'höt' : 'page')),
  ),
  save: pipe(page, put(), handle(nothing)),
  head: pipe(
    own,
    head(),
    responds(200),
    handle(() => pipe(reply(200), withHeader('X-Kind', 'head'))),
  ),
  get: pipe(own, get(), produces(text), handle(says('get'))),
  options: pipe(
    own,
    options(),
    produces(text),
    handle(() => pipe(ok('options'), allow('GET'))),
  ),
  empty: pipe(path('/empty'), get(), handle(nothing)),
  headed: pipe(path('/headed'), head(), handle(nothing)),
  remove: pipe(path('/removable'), del(), handle(nothing)),
  overlap: pipe(path('/{name}'), put(), handle(nothing)),
})

contract('methods that are derived', api, (test, call) => {
  test('HEAD is GET without its content', async () => {
    const response = await ask(call, 'HEAD /page')
    assert.is(response.status, 200)
    assert.is(await response.text(), '')
    assert.is(response.headers.get('x-kind'), 'page')
    assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
    assert.is(response.headers.get('content-length'), '4') // octets of what the handler returned
  })

  test('HEAD is an operation of its own where it is declared', async () => {
    const { status, headers } = await ask(call, 'HEAD /own')
    assert.equal([status, headers.get('x-kind')], [200, 'head'])
  })

  answers(test, call, [
    ['which leaves GET alone', 'GET /own', 'get'],
    ['GET is not derived from HEAD', 'GET /headed', 405],
    ['HEAD has the status of GET', 'HEAD /empty', 204],
    ['HEAD without GET is refused', 'HEAD /removable', 405],
    ['HEAD of what is not there', 'HEAD /not/there', 404],
    ['OPTIONS of what is not there', 'OPTIONS /not/there', 404],
    ['OPTIONS is an operation of its own where it is declared', 'OPTIONS /own', 'options'],
  ])

  test('HEAD that is refused has no content', async () => {
    const response = await ask(call, 'HEAD /removable')
    assert.is(await response.text(), '')
    assert.is(response.headers.get('content-type'), 'application/problem+json')
  })

  table(
    test,
    [
      ['OPTIONS names the methods of the path', '/page', 204, 'GET, PUT, HEAD, OPTIONS'],
      ['each of them once, of all templates', '/headed', 204, 'HEAD, PUT, OPTIONS'],
      ['HEAD only with GET', '/removable', 204, 'DELETE, PUT, OPTIONS'],
      ['a declared one names what it likes', '/own', 200, 'GET'],
    ] as const,
    async (_, target, status, methods) => {
      const response = await ask(call, `OPTIONS ${target}`)
      assert.equal([response.status, response.headers.get('allow')], [status, methods])
    },
  )
})
