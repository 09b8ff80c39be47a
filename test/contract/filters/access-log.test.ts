/** The access log: members and messages of its lines, and options that hide them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  accessLog,
  basic,
  cors,
  get,
  handle,
  path,
  permitAll,
  preMatching,
  requestId,
  rewrite,
  routes,
  withFilter,
} from '../../../src/index.ts'
import { loggerByLevel } from '../../../src/compiler/settings/logger.ts'
import type { Log } from '../../../src/node.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { broken, hello } from './hello.ts'
import { waitUntil } from '../../support/wait-until.ts'

const api = routes({ hello, broken })

type Line = Parameters<Log>

/** Lines of the access log since the last reset, and lines of other categories. */
const lines: Line[] = []
const others: Line[] = []
const logger = loggerByLevel((level) => (members, message) => {
  if (members['category'] === 'access' && level === 'info') lines.push([members, message])
  else others.push([members, message])
})

/** Waits for the next line. Over a socket, a request ends after the client has received the response. */
const nextLine = async (): Promise<Line> => {
  await waitUntil(() => lines.length > 0)
  const [line] = lines.splice(0, 1)
  if (line === undefined) throw new Error('nothing was logged')
  return line
}

const loggedApi = pipe(
  api,
  withFilter(cors({ origins: ['https://app.example'] }), requestId()),
  withFilter(
    accessLog({
      headers: ['User-Agent', 'x-long'],
      except: ({ path: target }) => target === '/up',
    }),
  ),
  withFilter(
    preMatching(({ request }) =>
      request.path === '/old' ? rewrite({ target: '/hello?n=1' }) : undefined,
    ),
  ),
)

contract(
  'access log',
  loggedApi,
  (test, call) => {
    table<readonly [line: string, status: number, endpoint: string | undefined]>(
      test,
      [
        ['GET /hello?n=1', 200, 'hello'],
        ['HEAD /hello?n=1', 200, 'hello'],
        ['GET /hello?n=x', 400, 'hello'],
        ['GET /nothing', 404, undefined],
        ['PUT /hello', 405, undefined],
        ['GET /broken', 500, 'broken'],
        ['GET /old', 200, 'hello'], // The log has the path that the client sent.
      ],
      async (line, status, endpoint) => {
        lines.length = 0
        const [method = '', target = ''] = line.split(' ')
        const [plain] = target.split('?')
        const response = await sendRequest(call, line, { headers: { 'X-Request-Id': 'job-1' } })
        assert.is(response.status, status)
        await response.text()
        const [{ duration, address, headers, ...members }, message] = await nextLine()
        assert.equal(members, {
          category: 'access',
          id: 'job-1',
          method,
          path: plain,
          status,
          endpoint,
        })
        assert.ok(typeof duration === 'number' && duration >= 0 && duration < 10_000)
        assert.match(JSON.stringify(address ?? '127.'), /^"(?:(?:::ffff:)?127\.|::1")/)
        assert.equal(headers, {})
        assert.match(message, new RegExp(`^${method} ${plain} ${status} \\d+\\.\\d ms$`))
        assert.is(lines.length, 0)
      },
    )
    test('a request rejected before matching is logged with the id of the response', async () => {
      lines.length = 0
      const { headers } = await sendRequest(call, 'GET /hello?n=1', {
        headers: { Origin: 'https://evil.example' },
      })
      const [{ status, id }] = await nextLine()
      assert.equal([status, id], [403, headers.get('x-request-id')])
    })
    test('only the listed headers are logged, truncated to 1024 characters', async () => {
      lines.length = 0
      await sendRequest(call, 'GET /hello?n=1&token=secret', {
        headers: { 'User-Agent': 'a', 'X-Long': 'b'.repeat(1025), Authorization: 'secret' },
      })
      const [members, message] = await nextLine()
      assert.equal(members['headers'], { 'user-agent': 'a', 'x-long': `${'b'.repeat(1024)}…` })
      assert.not.match(JSON.stringify([members, message]), 'secret')
    })
    test('a long path is truncated', async () => {
      lines.length = 0
      await sendRequest(call, `GET /${'a'.repeat(2000)}`)
      const [members, message] = await nextLine()
      assert.is(members['path'], `/${'a'.repeat(1023)}…`)
      assert.match(message, /^GET \/a{1023}… 404 \d+\.\d ms$/)
    })
    test('a request that matches `except` is not logged', async () => {
      lines.length = 0
      await sendRequest(call, 'GET /up')
      await sendRequest(call, 'GET /nothing')
      const [{ path: loggedPath }] = await nextLine()
      assert.is(loggedPath, '/nothing')
    })
    test('each of many concurrent requests is logged once', async () => {
      lines.length = 0
      const ids = Array.from({ length: 50 }, (_, n) => `many-${n}`)
      await Promise.all(
        ids.map((id) => sendRequest(call, 'GET /hello?n=1', { headers: { 'X-Request-Id': id } })),
      )
      const logged = new Set<unknown>()
      while (logged.size < ids.length) logged.add((await nextLine())[0]['id'])
      assert.ok(ids.every((id) => logged.has(id)))
      assert.is(lines.length, 0)
    })
  },
  { logger },
)

const withPrincipal = pipe(
  routes({
    hello,
    open: pipe(
      path('/open'),
      get(),
      permitAll,
      handle(() => undefined),
    ),
  }),
  withFilter(
    basic({
      realm: 'books',
      verify: ({ user, password }) =>
        password === 'plum'
          ? { name: user, roles: [], claims: { tenant: 'north', secret: 'hidden' } }
          : undefined,
    }),
  ),
  withFilter(
    accessLog({
      fields: ({ request, security }, { status, endpoint }) => {
        if (request.query === 'fail') throw new Error('no fields')
        const reserved = request.header('x-reserved')
        return {
          tenant: security.principal?.claims?.['tenant'],
          summary: `${endpoint?.name} ${status}`,
          ...(reserved === undefined ? {} : Object.fromEntries([[reserved, 'forged']])),
        }
      },
    }),
  ),
)

const credentials = (name: string): RequestInit => ({
  headers: { Authorization: `Basic ${btoa(`${name}:plum`)}` },
})

// @ts-expect-error each line has the member `status`
accessLog({ fields: () => ({ status: 1 }) })

contract(
  'access log with authentication and fields',
  withPrincipal,
  (test, call) => {
    const lineOf = async (line: string, init: RequestInit = {}): Promise<Line> => {
      lines.length = 0
      others.length = 0
      await (await sendRequest(call, line, init)).text()
      return nextLine()
    }
    test('has the name of the principal and the fields', async () => {
      const [members] = await lineOf('GET /hello?n=1', credentials('ann'))
      const { principal, tenant, summary } = members
      assert.equal([principal, tenant, summary], ['ann', 'north', 'hello 200'])
      assert.not.match(JSON.stringify(members), /plum|hidden|Authorization/)
    })
    test('has the principal of a rejected request', async () => {
      const [{ principal, status }] = await lineOf('GET /hello?n=x', credentials('ann'))
      assert.equal([principal, status], ['ann', 400])
    })
    test('has no principal for an anonymous request', async () => {
      for (const [line, status] of [
        ['GET /open', 204],
        ['GET /nothing', 404],
      ] as const) {
        const [members] = await lineOf(line)
        assert.equal(['principal' in members, members['status']], [false, status])
      }
    })
    test('truncates a long name', async () => {
      const [{ principal }] = await lineOf('GET /open', credentials('a'.repeat(1025)))
      assert.is(principal, `${'a'.repeat(1024)}…`)
    })
    test('has no fields if the function throws, which is logged', async () => {
      const [members] = await lineOf('GET /open?fail')
      assert.equal(['summary' in members, members['status']], [false, 204])
      await waitUntil(() => others.length > 0)
      assert.match(String(others[0]?.[0]['err']), 'no fields')
    })
    table(
      test,
      ['method', 'status', 'principal', 'address', 'headers', 'id', 'category', 'level'].map(
        (name): [string] => [name],
      ),
      async (name) => {
        const [members] = await lineOf('GET /open', { headers: { 'X-Reserved': name } })
        assert.equal(['summary' in members, members['status']], [false, 204])
        assert.not.match(JSON.stringify(members), 'forged')
        await waitUntil(() => others.length > 0)
        assert.match(String(others[0]?.[0]['err']), `must not return the member ${name}`)
      },
    )
  },
  { logger },
)

/** Called when a request has ended, after all other `onEnd` callbacks. */
let ended: () => void
const observed = pipe(
  loggedApi,
  withFilter(
    preMatching(({ onEnd }) => {
      onEnd(() => ended())
    }),
  ),
)

contract(
  'access log at a disabled level',
  observed,
  (test, call) => {
    test('nothing is logged', async () => {
      lines.length = 0
      const end = new Promise<void>((resolve) => (ended = resolve))
      await sendRequest(call, 'GET /hello?n=1')
      await end
      assert.is(lines.length, 0)
    })
  },
  { logger, 'fw.log.category.access.level': 'warn' },
)
