/** Tests retries over sockets: how often a misbehaving service is called, and that each attempt is the same. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientBody, Policy } from '../../../src/client/exchange.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import { fetchTransport } from '../../../src/client/transport/fetch-transport.ts'
import * as HttpDate from '../../../src/http/http-date.ts'
import {
  readError,
  requestTo,
  expectResponse,
  send,
  readText,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import type { Responder } from '../../support/scripted-service.ts'
import { withService, waitUntil, transports } from '../../support/scripted-service.ts'

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

const answers =
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

type Row = [name: string, does: Responder, tries: number, outcome: number | string]

const rows: ReadonlyArray<Row> = [
  ['the connection is reset', resets, 3, 200],
  ['the connection is closed', ends, 3, 200],
  ['an incomplete head', answersHalf, 3, 200],
  ['an invalid response', answersNonsense, 3, 200],
  ['no response', hangs, 3, 200],
  ...[408, 429, 502, 503, 504].map((status): Row => [`${status}`, answers(status), 3, 200]),
  ...[400, 401, 403, 404, 409, 422, 500, 501].map((status): Row => [
    `${status}`,
    answers(status),
    1,
    status,
  ]),
  ['Retry-After: 0', answers(503, { 'Retry-After': '0' }), 3, 200],
  ['Retry-After above the maximum', answers(429, { 'Retry-After': '3600' }), 1, 429],
]

for (const [name, open] of transports)
  describe(`retry over ${name}`, (test) => {
    table(
      test,
      rows.map(([title, ...rest]): Row => [title, ...rest]),
      async (_, does, tries, outcome) => {
        const way = open()
        await withService(first(2, does), async ({ url, seen, open: connections }) => {
          const policies = within(does === hangs ? '500ms' : '20s')
          const came = await send(policies, way, requestTo(url))
          assert.equal([outcomeName(came), seen.length], [outcome, tries])
          const content = await readText(expectResponse(came).body)
          assert.is(content, tries === 3 ? 'after 2' : 'x'.repeat(1000))
          await way.close()
          assert.ok(await waitUntil(() => connections() === 0))
        })
      },
    )
    test('retries at most times and returns the last outcome', async () => {
      const way = open()
      for (const [does, outcome] of [
        [resets, 'NetworkError'],
        [answers(503), 503],
      ] as const)
        await withService(does, async ({ url, seen }) => {
          assert.is(outcomeName(await send(within('20s'), way, requestTo(url))), outcome)
          assert.is(seen.length, 4)
        })
      await way.close()
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
      async (method, tries) => {
        const way = open()
        await withService(first(1, resets), async ({ url, seen }) => {
          const came = await send(retry(hasty), way, requestTo(url, { method }))
          assert.is(outcomeName(came), tries === 2 ? 200 : 'NetworkError')
          assert.equal(
            seen.map((one) => one.method),
            Array.from({ length: tries }, () => method),
          )
          if (E.isRight(came)) await came.right.body?.cancel()
        })
        await way.close()
      },
    )
    const long = 'é'.repeat(300_000)
    const form = new FormData()
    form.append('title', long)
    table<[name: string, body: ClientBody]>(
      test,
      [
        ['a string is sent again', { _tag: 'Whole', content: long }],
        ['bytes are sent again', { _tag: 'Whole', content: new TextEncoder().encode(long) }],
        ['a Blob is sent again', { _tag: 'Whole', content: new Blob([long]) }],
        ['a form is sent again', { _tag: 'Form', form }],
      ],
      async (_, body) => {
        // the `fetch` of the undici package does not accept a global FormData
        const way = name === 'fetch' && body._tag === 'Form' ? platform : open()
        await withService(
          cuts,
          async ({ url, seen }) => {
            const came = await send(retry(hasty), way, requestTo(url, { method: 'PUT', body }))
            const content = await readText(expectResponse(came).body)
            assert.is(seen.length, 2)
            assert.ok((seen[0]?.body.length ?? 0) < long.length)
            if (body._tag === 'Whole') assert.ok(content === long)
            else assert.ok(content.includes(`\r\n\r\n${long}\r\n`))
          },
          { early: true },
        )
        await way.close()
      },
    )
    test('a streamed body is sent once', async () => {
      const way = open()
      const body: ClientBody = {
        _tag: 'Pieces',
        open: async function* () {
          yield new TextEncoder().encode('a')
        },
      }
      await withService(answers(503), async ({ url, seen }) => {
        const came = await send(retry(hasty), way, requestTo(url, { method: 'PUT', body }))
        assert.equal([outcomeName(came), seen.map((one) => one.body)], [503, ['a']])
        await expectResponse(came).body?.cancel()
      })
      await way.close()
    })
    test('a response body that fails causes no retry', async () => {
      const way = open()
      await withService(breaksOff, async ({ url, seen }) => {
        const came = await send(retry(hasty), way, requestTo(url))
        assert.is(outcomeName(came), 200)
        assert.instance(await readError(expectResponse(came).body), Error)
        assert.is(seen.length, 1)
      })
      await way.close()
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
        const way = open()
        await withService(first(1, answers(429, headers)), async ({ url, seen }) => {
          assert.is(outcomeName(await send(retry(hasty), way, requestTo(url))), 200)
          const [one, other] = seen.map(({ at }) => at)
          const delay = (other ?? 0) - (one ?? 0)
          assert.ok(delay >= 990 && delay < 10_000, `${delay} ms`)
        })
        await way.close()
      })
  })
