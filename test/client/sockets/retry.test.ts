/** Tests retries over sockets: how often a misbehaving service is called, and that each attempt is the same. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientBody, Policy } from '../../../src/client/exchange.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import { fetchTransport } from '../../../src/client/transport/transport.ts'
import * as HttpDate from '../../../src/http/http-date.ts'
import {
  readError,
  requestTo,
  expectResponse,
  send,
  readText,
  statusOrTag,
} from '../fake-transport.ts'
import { describeConcurrently, table } from '../../support/describe.ts'
import type { Responder } from './scripted-service.ts'
import { withService, transports } from './scripted-service.ts'
import { waitUntil } from '../../support/wait-until.ts'

const platform = { passage: fetchTransport(undefined), close: () => Promise.resolve() }

const hasty = { times: 3, backoff: { first: 1 }, budget: 'unlimited' } as const

const within = (limit: string): ReadonlyArray<Policy> => [retry(hasty), timeout(limit)]

/** Applies `misbehave` to the first requests and responds normally to later ones. */
const first =
  (often: number, misbehave: Responder): Responder =>
  (response, seen, number, request) =>
    number < often
      ? misbehave(response, seen, number, request)
      : void response.end(`after ${number}`)

const respond =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end('x'.repeat(1000))

const resets: Responder = (_, __, ___, { socket }) => void socket.resetAndDestroy()
const ends: Responder = (_, __, ___, { socket }) => void socket.end()
const answersHalf: Responder = (_, __, ___, { socket }) => void socket.end('HTTP/1.1 200 O')
const answersNonsense: Responder = (_, __, ___, { socket }) => void socket.end('hello\r\n\r\n')
const hangs: Responder = () => undefined
const breaksOff: Responder = (response, _, __, { socket }) => {
  response.writeHead(200, { 'Content-Length': '10' }).write('half')
  setTimeout(() => socket.destroy(), 10)
}
/** Resets the connection of the first request while its body is being received. */
const cuts: Responder = (response, seen, number, request) => {
  if (number === 0) request.once('data', () => request.socket.resetAndDestroy())
  else request.on('end', () => response.end(seen.body))
}

type Row = [name: string, does: Responder, attempts: number, result: number | string]

const rows: ReadonlyArray<Row> = [
  ['the connection is reset', resets, 3, 200],
  ['the connection is closed', ends, 3, 200],
  ['an incomplete head', answersHalf, 3, 200],
  ['an invalid response', answersNonsense, 3, 200],
  ['no response', hangs, 3, 200],
  ...[408, 429, 502, 503, 504].map((status): Row => [`${status}`, respond(status), 3, 200]),
  ...[400, 401, 403, 404, 409, 422, 500, 501].map((status): Row => [
    `${status}`,
    respond(status),
    1,
    status,
  ]),
  ['Retry-After: 0', respond(503, { 'Retry-After': '0' }), 3, 200],
  ['Retry-After above the maximum', respond(429, { 'Retry-After': '3600' }), 1, 429],
]

for (const [name, open] of transports)
  describeConcurrently(`retry over ${name}`, (test) => {
    table(
      test,
      rows.map(([title, ...rest]): Row => [title, ...rest]),
      async (_, does, attempts, result) => {
        const transport = open()
        await withService(first(2, does), async ({ url, seen, open: connections }) => {
          const policies = within(does === hangs ? '500ms' : '20s')
          const response = await send(policies, transport, requestTo(url))
          assert.equal([statusOrTag(response), seen.length], [result, attempts])
          const content = await readText(expectResponse(response).body)
          assert.is(content, attempts === 3 ? 'after 2' : 'x'.repeat(1000))
          await transport.close()
          await waitUntil(() => connections() === 0)
        })
      },
    )
    test('retries at most times and returns the last result', async () => {
      const transport = open()
      for (const [does, result] of [
        [resets, 'NetworkError'],
        [respond(503), 503],
      ] as const)
        await withService(does, async ({ url, seen }) => {
          assert.is(statusOrTag(await send(within('20s'), transport, requestTo(url))), result)
          assert.is(seen.length, 4)
        })
      await transport.close()
    })
    table(
      test,
      [
        ['GET', 2],
        ['HEAD', 2],
        ['OPTIONS', 2],
        ['PUT', 2],
        ['DELETE', 2],
        ['POST', 1],
        ['PATCH', 1],
      ] as const,
      async (method, attempts) => {
        const transport = open()
        await withService(first(1, resets), async ({ url, seen }) => {
          const response = await send(retry(hasty), transport, requestTo(url, { method }))
          assert.is(statusOrTag(response), attempts === 2 ? 200 : 'NetworkError')
          assert.equal(
            seen.map((request) => request.method),
            Array.from({ length: attempts }, () => method),
          )
          if (E.isRight(response)) await response.right.body?.cancel()
        })
        await transport.close()
      },
    )
    const long = 'é'.repeat(300_000)
    const form = new FormData()
    form.append('title', long)
    table<[name: string, body: ClientBody]>(
      test,
      [
        ['a string is sent again', { _tag: 'Buffered', data: long }],
        ['bytes are sent again', { _tag: 'Buffered', data: new TextEncoder().encode(long) }],
        ['a Blob is sent again', { _tag: 'Buffered', data: new Blob([long]) }],
        ['a form is sent again', { _tag: 'Form', form }],
      ],
      async (_, body) => {
        // the `fetch` of the undici package does not accept a global FormData
        const transport = name === 'fetch' && body._tag === 'Form' ? platform : open()
        await withService(
          cuts,
          async ({ url, seen }) => {
            const response = await send(
              retry(hasty),
              transport,
              requestTo(url, { method: 'PUT', body }),
            )
            const content = await readText(expectResponse(response).body)
            assert.is(seen.length, 2)
            assert.ok((seen[0]?.body.length ?? 0) < long.length)
            if (body._tag === 'Buffered') assert.ok(content === long)
            else assert.ok(content.includes(`\r\n\r\n${long}\r\n`))
          },
          { early: true },
        )
        await transport.close()
      },
    )
    test('a streamed body is sent once', async () => {
      const transport = open()
      const body: ClientBody = {
        _tag: 'Streamed',
        open: async function* () {
          yield new TextEncoder().encode('a')
        },
      }
      await withService(respond(503), async ({ url, seen }) => {
        const response = await send(
          retry(hasty),
          transport,
          requestTo(url, { method: 'PUT', body }),
        )
        assert.equal([statusOrTag(response), seen.map((request) => request.body)], [503, ['a']])
        await expectResponse(response).body?.cancel()
      })
      await transport.close()
    })
    test('a response body that fails causes no retry', async () => {
      const transport = open()
      await withService(breaksOff, async ({ url, seen }) => {
        const response = await send(retry(hasty), transport, requestTo(url))
        assert.is(statusOrTag(response), 200)
        assert.instance(await readError(expectResponse(response).body), Error)
        assert.is(seen.length, 1)
      })
      await transport.close()
    })
    const now = Math.floor(Date.now() / 1000) * 1000
    for (const [title, headers] of [
      ['seconds', { 'Retry-After': '1' }],
      [
        'a date relative to the Date header',
        {
          Date: HttpDate.format(new Date(now - 3_600_000)),
          'Retry-After': HttpDate.format(new Date(now - 3_599_000)),
        },
      ],
    ] as const)
      test(`honours Retry-After: ${title}`, async () => {
        const transport = open()
        await withService(first(1, respond(429, headers)), async ({ url, seen }) => {
          assert.is(statusOrTag(await send(retry(hasty), transport, requestTo(url))), 200)
          const [before, after] = seen.map(({ at }) => at)
          const delay = (after ?? 0) - (before ?? 0)
          assert.ok(delay >= 990 && delay < 10_000, `${delay} ms`)
        })
        await transport.close()
      })
  })
