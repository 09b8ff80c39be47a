/** Tests headers and credentials that a client sends over sockets. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import {
  basicAuth,
  bearerToken,
  client,
  headers,
  propagate,
  promiseClient,
} from '../../../src/client.ts'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { withService, transports } from './scripted-service.ts'

const contract = routes({ hello: pipe(path('/hello'), get(), produces(text)) })

for (const [name, open] of transports)
  describe(`headers over ${name}`, (test) => {
    test('propagated headers are sent in addition to those of the headers policy', () =>
      withService(
        (response, { headers: received }) =>
          void response.end(
            ['x-request-id', 'x-none', 'x-tag'].map((field) => String(received[field])).join(' '),
          ),
        async ({ url }) => {
          const transport = open()
          const inner = client(contract, {
            baseUrl: url,
            transport: transport.passage,
            policies: [headers(async ({ operation }) => ({ 'X-Tag': operation.name }))],
          })
          const propagated = propagate('X-Request-Id', 'X-None')
          const outer = routes({
            hello: pipe(
              path('/hello'),
              get(),
              produces(text),
              handle(async (_, context) => {
                const response = await inner.hello({}, { headers: propagated(context) })()
                return E.isRight(response) ? response.right.body : response.left.message
              }),
            ),
          })
          const server = await serveLocally(outer)
          const caller = promiseClient(outer, { baseUrl: server.url, transport: transport.passage })
          const response = await caller.hello({}, { headers: { 'X-Request-Id': 'job-17' } })
          assert.is(response.body, 'job-17 undefined hello')
          await transport.close()
          await server.close()
        },
      ))
    let renewed = 0
    table(
      test,
      [
        [
          'basicAuth',
          [basicAuth('Aladdin', 'open sesame')],
          '',
          'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
        ],
        ['bearerToken', [bearerToken('a.b-c')], '', 'Bearer a.b-c'],
        [
          'bearerToken with a function',
          [bearerToken(async () => `t${++renewed}`)],
          '',
          'Bearer t1',
        ],
        ['user information of the URL', [], 'a:b@', 'Basic YTpi'],
        [
          'user information of the URL takes precedence over a policy',
          [bearerToken('c')],
          'a:b@',
          'Basic YTpi',
        ],
      ] as const,
      (_, policies, user, expected) =>
        withService(
          (response, { headers: { authorization } }) => void response.end(authorization),
          async ({ url }) => {
            const transport = open()
            const baseUrl = url.replace('//', `//${user}`)
            const library = promiseClient(contract, {
              baseUrl,
              transport: transport.passage,
              policies,
            })
            assert.is((await library.hello()).body, expected)
            await transport.close()
          },
        ),
    )
  })
