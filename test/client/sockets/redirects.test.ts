/** Tests redirects over sockets. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { ClientRequest } from '../../../src/client/exchange.ts'
import { basicAuth } from '../../../src/client/policy/headers.ts'
import { followRedirects } from '../../../src/client/policy/follow-redirects.ts'
import { promiseClient } from '../../../src/client.ts'
import { apiKey, get, path, produces, routes, text, withFilter } from '../../../src/index.ts'
import { requestTo, expectResponse, send, readText, statusOrTag } from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import type { Responder } from './scripted-service.ts'
import { withService, transports } from './scripted-service.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** The method after each redirect status, and whether the body is sent again (RFC 9110, 15.4). */
const becomes: Readonly<Record<number, Readonly<Record<string, readonly [string, boolean]>>>> = {
  301: {
    GET: ['GET', false],
    HEAD: ['HEAD', false],
    POST: ['GET', false],
    PUT: ['PUT', true],
    DELETE: ['DELETE', false],
  },
  302: {
    GET: ['GET', false],
    HEAD: ['HEAD', false],
    POST: ['GET', false],
    PUT: ['PUT', true],
    DELETE: ['DELETE', false],
  },
  303: {
    GET: ['GET', false],
    HEAD: ['HEAD', false],
    POST: ['GET', false],
    PUT: ['GET', false],
    DELETE: ['GET', false],
  },
  307: {
    GET: ['GET', false],
    HEAD: ['HEAD', false],
    POST: ['POST', true],
    PUT: ['PUT', true],
    DELETE: ['DELETE', false],
  },
  308: {
    GET: ['GET', false],
    HEAD: ['HEAD', false],
    POST: ['POST', true],
    PUT: ['PUT', true],
    DELETE: ['DELETE', false],
  },
}

interface Led {
  readonly status: number
  readonly method: string
  readonly next: string
  readonly keeps: boolean
  readonly isAway: boolean
}

const rows = Object.entries(becomes).flatMap(([status, byMethod]) =>
  Object.entries(byMethod).flatMap(([method, [next, keeps]]) =>
    [true, false].map((isAway): [string, Led] => [
      `${method} ${status} ${isAway ? 'to another origin' : 'within the origin'}`,
      { status: Number(status), method, next, keeps, isAway },
    ]),
  ),
)

const credentials = [
  ['Authorization', 'Bearer a'],
  ['Cookie', 'b=c'],
  ['Proxy-Authorization', 'Basic d'],
  ['X-Key', 'e'],
  ['X-Tag', 'f'],
].flat()

const requestFor = (url: string, method: string): ClientRequest =>
  requestTo(url, {
    method,
    headers: [
      ...credentials,
      ...(method === 'POST' || method === 'PUT' ? ['Content-Type', 'text/plain'] : []),
    ],
    body: method === 'POST' || method === 'PUT' ? { _tag: 'Buffered', data: 'body' } : undefined,
  })

const echoes: Responder = (response, { method, body }) => void response.end(`${method} ${body}`)

for (const [name, open] of transports)
  describe(`redirects over ${name}`, (test) => {
    table(test, rows, async (_, { status, method, next, keeps, isAway }) => {
      const transport = open()
      await withService(echoes, (target) =>
        withService(
          (response, seen, number, request) =>
            number === 0
              ? response
                  .writeHead(status, { Location: isAway ? `${target.url}/new` : '/new' })
                  .end('moved')
              : echoes(response, seen, number, request),
          async (here) => {
            const policy = followRedirects({
              methods,
              credentials: ['x-key'],
              crossOriginBodies: true,
            })
            const result = await send(policy, transport, requestFor(`${here.url}/old`, method))
            const receiver = isAway ? target : here
            assert.equal(
              [statusOrTag(result), expectResponse(result).url],
              [200, `${receiver.url}/new`],
            )
            const content = next === 'HEAD' ? '' : `${next} ${keeps ? 'body' : ''}`
            assert.is(await readText(expectResponse(result).body), content)
            const seen = [...here.seen, ...target.seen]
            assert.is(seen.length, 2)
            const headers = seen[1]?.headers ?? {}
            assert.equal(
              [
                headers.authorization,
                headers.cookie,
                headers['proxy-authorization'],
                headers['x-key'],
                headers['x-tag'],
                headers['content-type'],
                headers.host,
              ],
              [
                ...(isAway
                  ? [undefined, undefined, undefined, undefined]
                  : ['Bearer a', 'b=c', 'Basic d', 'e']),
                'f',
                keeps ? 'text/plain' : undefined,
                new URL(receiver.url).host,
              ],
            )
          },
        ),
      )
      await transport.close()
    })
    test('by default redirects of POST, PUT and DELETE are not followed', async () => {
      const transport = open()
      for (const status of [301, 302, 303, 307, 308])
        for (const method of ['POST', 'PUT', 'DELETE'])
          await withService(
            (response) => void response.writeHead(status, { Location: '/new' }).end(),
            async ({ url, seen }) => {
              assert.is(
                statusOrTag(await send(followRedirects(), transport, requestFor(url, method))),
                status,
              )
              assert.is(seen.length, 1)
            },
          )
      await transport.close()
    })
    test('the redirect beyond max is returned with a readable body', async () => {
      const transport = open()
      await withService(
        (response, _, number) =>
          void response.writeHead(302, { Location: `/${number}` }).end(`no. ${number}`),
        async ({ url, seen }) => {
          const result = await send(followRedirects({ max: 3 }), transport, requestTo(url))
          assert.equal([statusOrTag(result), seen.length], [302, 4])
          assert.is(await readText(expectResponse(result).body), 'no. 3')
        },
      )
      await transport.close()
    })
    // the `fetch` of undici does not send a custom Host
    test('a custom Host header is not sent to another origin', async () => {
      const transport = open()
      await withService(echoes, (target) =>
        withService(
          (response) => void response.writeHead(302, { Location: target.url }).end(),
          async ({ url, seen }) => {
            const request = requestTo(url, { headers: ['Host', 'books.test'] })
            assert.is(statusOrTag(await send(followRedirects(), transport, request)), 200)
            assert.equal(
              [...seen, ...target.seen].map(({ headers }) => headers.host),
              [name === 'fetch' ? new URL(url).host : 'books.test', new URL(target.url).host],
            )
          },
        ),
      )
      await transport.close()
    })
    test('API keys of filters of the contract are sent only to the origin of the call', async () => {
      const transport = open()
      const key = apiKey({ header: 'X-Key', verify: () => undefined })
      const hello = pipe(path('/hello'), get(), produces(text))
      await withService(echoes, (target) =>
        withService(
          (response) => void response.writeHead(307, { Location: `${target.url}/hello` }).end(),
          async ({ url, seen }) => {
            const { inner } = promiseClient(
              routes({ inner: pipe(routes({ hello }), withFilter(key)) }),
              {
                baseUrl: url,
                transport: transport.passage,
                headers: { 'X-Key': 'secret', 'X-Tag': 'a' },
                policies: [followRedirects()],
              },
            )
            assert.is((await inner.hello()).body, 'GET ')
            assert.equal(
              [...seen, ...target.seen].map(({ headers }) => [headers['x-key'], headers['x-tag']]),
              [
                ['secret', 'a'],
                [undefined, 'a'],
              ],
            )
          },
        ),
      )
      await transport.close()
    })
    test('credentials of a policy are sent only to the origin of the call', async () => {
      const transport = open()
      const hello = pipe(path('/hello'), get(), produces(text))
      await withService(echoes, (target) =>
        withService(
          (response) => void response.writeHead(307, { Location: `${target.url}/hello` }).end(),
          async ({ url, seen }) => {
            const { hello: say } = promiseClient(routes({ hello }), {
              baseUrl: url,
              transport: transport.passage,
              policies: [followRedirects(), basicAuth('ann', 'plum')],
            })
            assert.is((await say()).body, 'GET ')
            assert.equal(
              [...seen, ...target.seen].map(({ headers }) => headers.authorization),
              ['Basic YW5uOnBsdW0=', undefined],
            )
          },
        ),
      )
      await transport.close()
    })
  })
