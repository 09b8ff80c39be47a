/**
 * Guards of the other server, which compare paths as received: a request that a guard does not see must not reach an operation below its
 * path.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  matrix,
  optional,
  path,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import type { NodeListenerOptions } from '../../../src/node.ts'
import { nodeListener } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { withHttpServer } from '../../support/while-listening.ts'

const api = routes({
  users: pipe(
    path('/admin/users'),
    get(),
    produces(text),
    handle(() => 'secret'),
  ),
  cars: pipe(
    path('/admin/cars/{car}'),
    get(),
    matrix({ colour: optional(string) }),
    produces(text),
    handle(({ path: { car }, matrix: { colour } }) => `${car} ${String(colour)}`),
  ),
  report: pipe(
    path('/report-{id}'),
    get(),
    produces(text),
    handle(({ path: { id } }) => id),
  ),
  other: pipe(
    path('/{section}/users'),
    get(),
    produces(text),
    handle(({ path: { section } }) => section),
  ),
})

/** Matches as `app.use('/admin', …)` and `app.use(/^\/report-/, …)` of Express do. */
const guard = /^(?:https?:\/\/[^/]*)?(?:\/admin(?:\/|$)|\/report-)/i

/** Starts a server that forbids paths, and passes other requests to a listener. Calls `use` with the statuses of responses. */
const withGuard = async (
  options: NodeListenerOptions,
  use: (statusOf: (target: string) => Promise<number>) => Promise<void>,
): Promise<void> => {
  const listener = nodeListener(api, { logger: silentLogger, ...options })
  await withHttpServer(
    (request, response) => {
      if (guard.test(request.url?.split('?')[0] ?? ''))
        response.writeHead(403, { 'Content-Length': 0 }).end()
      else listener(request, response, () => response.writeHead(418, { 'Content-Length': 0 }).end())
    },
    async ({ url }) => {
      await use(async (target) => {
        const connection = await connectTo(url)
        connection.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
        const { status } = await connection.next()
        connection.destroy()
        return status
      })
    },
  )
  await listener.close()
}

const bypasses = [
  '/%61dmin/users',
  '/admi%6e/users',
  '/admin;x=1/users',
  '/admin;/users',
  '/admin;;/users',
  '/admin;%78=1/users',
  '/admin;x=1/cars/a;colour=red',
  '/%61dmin/cars/a;colour=red',
  '/%72eport-1',
  '/report%2D1',
  '/report%2d1',
  '//admin/users',
  '///admin/users',
  '/./admin/users',
  '/x/../admin/users',
  '/%2e/admin/users',
  '/x/%2e%2e/admin/users',
  '/admin%2Fusers',
  '/admin%2fusers',
  '/admin%5Cusers',
  String.raw`/admin\users`,
  '/%61dmin/users?/admin/users',
  'http://a/%61dmin/users',
  'http://a/admin;/users',
  'http://a//admin/users',
]

describe('guards in front of nodeListener', (test) => {
  table(
    test,
    bypasses.map((target): [string] => [target]),
    (target) => withGuard({}, async (statusOf) => assert.is(await statusOf(target), 418)),
  )
  table(
    test,
    [
      ['/admin/users', 403],
      ['/ADMIN/users', 403],
      ['/admin/cars/a;colour=red', 403],
      ['http://a/admin/users', 403],
      ['/other/users', 200],
      ['/%6fther/users', 200],
      ['/%41dmin/users', 200], // a value of {section}: literals are case-sensitive
      ['/other;x=1/users', 418],
    ] as const,
    (target, status) =>
      withGuard({}, async (statusOf) => assert.is(await statusOf(target), status)),
  )
  test('fw.rest.canonical-paths=never accepts every spelling', () =>
    withGuard({ 'fw.rest.canonical-paths': 'never' }, async (statusOf) => {
      assert.is(await statusOf('/%61dmin/users'), 200)
      assert.is(await statusOf('/admin;x=1/users'), 200)
    }))
})
