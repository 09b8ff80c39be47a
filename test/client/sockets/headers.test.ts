/** over sockets: what a service hands on to another one that it calls, and who it says it is. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import {
  basicAuth,
  bearerToken,
  client,
  headers,
  promising,
  propagate,
} from '../../../src/client.ts'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { withService, transports } from '../../support/scripted-service.ts'

const contract = routes({ hello: pipe(path('/hello'), get(), produces(text)) })

for (const [name, open] of transports)
  describe(`fields, served over ${name}`, (test) => {
    test('R-441: those of the request that came go on, beside those that are made', () =>
      withService(
        (response, { headers: fields }) =>
          void response.end(
            ['x-request-id', 'x-none', 'x-tag'].map((field) => String(fields[field])).join(' '),
          ),
        async ({ url }) => {
          const way = open()
          const inner = client(contract, {
            baseUrl: url,
            transport: way.passage,
            policies: [headers(async ({ operation }) => ({ 'X-Tag': operation.name }))],
          })
          const handOn = propagate('X-Request-Id', 'X-None')
          const outer = routes({
            hello: pipe(
              path('/hello'),
              get(),
              produces(text),
              handle(async (_, context) => {
                const answer = await inner.hello({}, { headers: handOn(context) })()
                return E.isRight(answer) ? answer.right.body : answer.left.message
              }),
            ),
          })
          const server = await onLoopback(outer)
          const caller = promising(client(outer, { baseUrl: server.url, transport: way.passage }))
          const answer = await caller.hello({}, { headers: { 'X-Request-Id': 'job-17' } })
          assert.is(answer.body, 'job-17 undefined hello')
          await way.close()
          await server.close()
        },
      ))
    let renewed = 0
    table(
      test,
      [
        [
          'R-442: a name and a password',
          [basicAuth('Aladdin', 'open sesame')],
          '',
          'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
        ],
        ['R-442: a token', [bearerToken('a.b-c')], '', 'Bearer a.b-c'],
        [
          'R-442: a token that is asked for',
          [bearerToken(async () => `t${++renewed}`)],
          '',
          'Bearer t1',
        ],
        ['R-442: user information of the URL', [], 'a:b@', 'Basic YTpi'],
        ['R-442: the URL is nearer than a policy', [bearerToken('c')], 'a:b@', 'Basic YTpi'],
      ] as const,
      (_, policies, user, expected) =>
        withService(
          (response, { headers: { authorization } }) => void response.end(authorization),
          async ({ url }) => {
            const way = open()
            const baseUrl = url.replace('//', `//${user}`)
            const one = client(contract, { baseUrl, transport: way.passage, policies })
            assert.is((await promising(one).hello()).body, expected)
            await way.close()
          },
        ),
    )
  })
