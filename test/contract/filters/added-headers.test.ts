/** `context.response.addHeader` in handlers and filters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  path,
  preMatching,
  produces,
  reply,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const tree = pipe(
  routes({
    fine: pipe(
      path('/fine'),
      get(),
      produces(text),
      handle((_, { response }) => {
        response.addHeader('X-Added', 'handler')
        return 'fine'
      }),
    ),
    broken: pipe(
      path('/broken'),
      get(),
      produces(text),
      handle((_, { response }): string => {
        response.addHeader('X-Added', 'handler')
        throw new Error('broken')
      }),
    ),
    framed: pipe(
      path('/framed'),
      get(),
      produces(text),
      handle((_, { response }) => {
        response.addHeader('Content-Length', '1')
        response.addHeader('Transfer-Encoding', 'chunked')
        return 'framed'
      }),
    ),
    invalid: pipe(
      path('/invalid'),
      get(),
      produces(text),
      handle((_, { response }) => {
        response.addHeader('X-Added', 'a\r\nX-Other: b')
        return 'invalid'
      }),
    ),
    missing: pipe(
      path('/missing'),
      get(),
      produces(text),
      handle((_, { response }) => {
        response.addHeader('X-Added', null as unknown as string)
        return 'missing'
      }),
    ),
  }),
  withFilter(
    preMatching(({ response, request }) => {
      response.addHeader('X-Added', 'filter')
      return request.path === '/stopped' ? reply(503) : undefined
    }),
  ),
)

contract('addHeader in handlers and pre-matching filters', tree, (test, call) => {
  table<[line: string, status: number, added: string]>(
    test,
    [
      ['GET /fine', 200, 'filter, handler'],
      ['GET /broken', 500, 'filter, handler'],
      ['GET /nothing', 404, 'filter'],
      ['DELETE /fine', 405, 'filter'],
      ['OPTIONS /fine', 204, 'filter'],
      ['HEAD /fine', 200, 'filter, handler'],
      ['GET /stopped', 503, 'filter'],
      ['GET /invalid', 500, 'filter'],
      ['GET /missing', 500, 'filter'],
    ],
    async (line, status, added) => {
      const response = await sendRequest(call, line)
      assert.equal([response.status, response.headers.get('X-Added')], [status, added])
      assert.is(response.headers.get('X-Other'), null)
    },
  )
  test('framing headers are ignored', async () => {
    const response = await sendRequest(call, 'GET /framed')
    assert.is(await response.text(), 'framed')
    assert.is(response.headers.get('Content-Length'), '6')
    assert.is(response.headers.get('Transfer-Encoding'), null)
  })
})
