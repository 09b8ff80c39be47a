/** The access log: J6. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  accessLog,
  cors,
  preMatching,
  requestId,
  rewrite,
  routes,
  withFilter,
} from '../../src/index.ts'
import { loggerByLevel } from '../../src/compiler/settings/logger.ts'
import type { Log } from '../../src/node.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { broken, hello } from '../support/hello.ts'

const api = routes({ hello, broken })

type Line = Parameters<Log>

/** The access log since it was last emptied, and lines of other categories. */
const lines: Line[] = []
const others: Line[] = []
const logger = loggerByLevel((level) => (members, message) => {
  if (members['category'] === 'access' && level === 'info') lines.push([members, message])
  else others.push([members, message])
})

/** The next line: through a socket, a request ends when its client has the answer already. */
const nextLine = async (): Promise<Line> => {
  for (let turn = 0; turn < 400; turn++) {
    const line = lines.shift()
    if (line !== undefined) return line
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('nothing was logged')
}

const logged = pipe(
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
  'the access log',
  logged,
  (test, call) => {
    table<readonly [string, number, string | undefined]>(
      test,
      [
        ['GET /hello?n=1', 200, 'hello'],
        ['HEAD /hello?n=1', 200, 'hello'],
        ['GET /hello?n=x', 400, 'hello'],
        ['GET /nothing', 404, undefined],
        ['PUT /hello', 405, undefined],
        ['GET /broken', 500, 'broken'],
        ['GET /old', 200, 'hello'], // as the client sent it
      ],
      async (line, status, endpoint) => {
        lines.length = 0
        const [method = '', target = ''] = line.split(' ')
        const [plain] = target.split('?')
        const response = await ask(call, line, { headers: { 'X-Request-Id': 'job-1' } })
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
    test('tells of refusals before matching, and of the id in the response', async () => {
      lines.length = 0
      const { headers } = await ask(call, 'GET /hello?n=1', {
        headers: { Origin: 'https://evil.example' },
      })
      const [{ status, id }] = await nextLine()
      assert.equal([status, id], [403, headers.get('x-request-id')])
    })
    test('tells of the fields that are listed and of no others, cut after 1024', async () => {
      lines.length = 0
      await ask(call, 'GET /hello?n=1&token=secret', {
        headers: { 'User-Agent': 'a', 'X-Long': 'b'.repeat(1025), Authorization: 'secret' },
      })
      const [members, message] = await nextLine()
      assert.equal(members['headers'], { 'user-agent': 'a', 'x-long': `${'b'.repeat(1024)}…` })
      assert.not.match(JSON.stringify([members, message]), 'secret')
    })
    test('cuts a long path', async () => {
      lines.length = 0
      await ask(call, `GET /${'a'.repeat(2000)}`)
      const [members, message] = await nextLine()
      assert.is(members['path'], `/${'a'.repeat(1023)}…`)
      assert.match(message, /^GET \/a{1023}… 404 \d+\.\d ms$/)
    })
    test('is silent where it is told to be', async () => {
      lines.length = 0
      await ask(call, 'GET /up')
      await ask(call, 'GET /nothing')
      const [{ path: told }] = await nextLine()
      assert.is(told, '/nothing')
    })
    test('of many at once, each has one line', async () => {
      lines.length = 0
      const sent = Array.from({ length: 50 }, (_, n) => `many-${n}`)
      await Promise.all(
        sent.map((id) => ask(call, 'GET /hello?n=1', { headers: { 'X-Request-Id': id } })),
      )
      const told = new Set<unknown>()
      while (told.size < sent.length) told.add((await nextLine())[0]['id'])
      assert.ok(sent.every((id) => told.has(id)))
      assert.is(lines.length, 0)
    })
  },
  { logger },
)

/** Says when a request has ended, behind whoever else listens. */
let ended: () => void
const telling = pipe(
  logged,
  withFilter(
    preMatching(({ onEnd }) => {
      onEnd(() => ended())
    }),
  ),
)

contract(
  'the access log below its level',
  telling,
  (test, call) => {
    test('writes nothing', async () => {
      lines.length = 0
      const end = new Promise<void>((resolve) => (ended = resolve))
      await ask(call, 'GET /hello?n=1')
      await end
      assert.is(lines.length, 0)
    })
  },
  { logger, 'fw.log.category.access.level': 'warn' },
)
