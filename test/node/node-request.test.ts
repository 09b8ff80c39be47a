/** Access to the request and the response of `node:http` in handlers and filters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  path,
  preMatching,
  produces,
  responseFilter,
  rewrite,
  routes,
  text,
  withFilter,
} from '../../src/index.ts'
import type { Server } from '../../src/node.ts'
import { nodeRequest, nodeResponse } from '../../src/node.ts'
import { inMemory, testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { connectTo } from '../support/raw-connection.ts'
import { headerOf } from '../support/raw-response.ts'
import { assertResponse, rawRequest } from '../support/raw.ts'

const api = pipe(
  routes({
    target: pipe(
      path('/target'),
      get(),
      produces(text),
      handle((_, context) => `${nodeRequest(context)?.url} ${context.request.path}`),
    ),
    ended: pipe(
      path('/ended'),
      get(),
      produces(text),
      handle((_, context) => {
        nodeResponse(context)?.end('ended')
        return 'not sent'
      }),
    ),
    typed: pipe(
      path('/typed'),
      get(),
      produces(text),
      handle((_, context) => {
        nodeResponse(context)?.setHeader('Content-Type', 'text/html')
        return 'typed'
      }),
    ),
  }),
  withFilter(
    preMatching((context) => {
      nodeResponse(context)?.setHeader('X-Before', 'matching')
      return context.request.path === '/moved' ? rewrite({ target: '/target' }) : undefined
    }),
    responseFilter((_, context) => {
      nodeResponse(context)?.appendHeader('X-Before', 'sending')
    }),
  ),
)

describe('nodeRequest, nodeResponse', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serveLocally(api)
  })
  after(() => server?.close())
  const send = async (line: string) => {
    const connection = await connectTo(server?.url ?? '')
    connection.write(rawRequest(line))
    const response = await connection.next()
    connection.write(rawRequest('GET /target'))
    assertResponse(await connection.next(), [200, '/target /target'])
    connection.destroy()
    return response
  }

  test('nodeRequest returns the received request', async () => {
    assertResponse(await send('GET /moved'), [200, '/moved /target'])
  })
  test('headers set on the response are sent, also with 404', async () => {
    for (const line of ['GET /target', 'GET /nothing']) {
      const { headers } = await send(line)
      assert.equal(
        headers.filter(([name]) => name === 'x-before').map(([, value]) => value),
        ['matching', 'sending'],
      )
    }
  })
  test('headers of the operation take precedence', async () => {
    assert.is(headerOf(await send('GET /typed'), 'content-type'), 'text/plain;charset=UTF-8')
  })
  test('a response ended by the handler replaces that of the operation', async () => {
    assertResponse(await send('GET /ended'), [200, 'ended'])
  })
  test('nodeRequest returns undefined in memory', async () => {
    const response = await inMemory(api)(new Request('http://a/target'))
    assert.is(await response.text(), 'undefined /target')
    assert.is(response.headers.get('X-Before'), null)
  })
  test('nodeRequest returns undefined for testContext', () => {
    assert.is(nodeRequest(testContext()), undefined)
    assert.is(nodeResponse(testContext()), undefined)
  })
})
