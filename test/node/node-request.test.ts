/** Access to the request and the response of `node:http`. */
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
import { onLoopback } from '../support/loopback.ts'
import { connectTo } from '../support/raw-connection.ts'
import { fieldOf } from '../support/raw-response.ts'
import { check, to } from '../support/raw.ts'

const api = pipe(
  routes({
    target: pipe(
      path('/target'),
      get(),
      produces(text),
      handle((_, context) => `${nodeRequest(context)?.url} ${context.request.path}`),
    ),
    own: pipe(
      path('/own'),
      get(),
      produces(text),
      handle((_, context) => {
        nodeResponse(context)?.end('its own')
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
    server = await onLoopback(api)
  })
  after(() => server?.close())
  const ask = async (line: string) => {
    const connection = await connectTo(server?.url ?? '')
    connection.write(to(line))
    const response = await connection.next()
    connection.write(to('GET /target'))
    check(await connection.next(), [200, '/target /target'])
    connection.leave()
    return response
  }

  test('nodeRequest returns the received request', async () => {
    check(await ask('GET /moved'), [200, '/moved /target'])
  })
  test('headers set on the response are sent, also with 404', async () => {
    for (const line of ['GET /target', 'GET /nothing']) {
      const { fields } = await ask(line)
      assert.equal(
        fields.filter(([name]) => name === 'x-before').map(([, value]) => value),
        ['matching', 'sending'],
      )
    }
  })
  test('headers of the operation take precedence', async () => {
    assert.is(fieldOf(await ask('GET /typed'), 'content-type'), 'text/plain;charset=UTF-8')
  })
  test('a response ended by the handler replaces that of the operation', async () => {
    check(await ask('GET /own'), [200, 'its own'])
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
