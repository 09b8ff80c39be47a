/** Tests policies over sockets: circuit breaker, limits, hedge, fallback and filters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { Policy } from '../../../src/client.ts'
import {
  basicAuth,
  circuitBreaker,
  client,
  clientFilter,
  clientResponse,
  concurrencyLimit,
  fallback,
  headers,
  hedge,
  observed,
  promising,
  rateLimit,
  retry,
} from '../../../src/client.ts'
import { get, path, produces, routes, text } from '../../../src/index.ts'
import {
  requestTo,
  expectResponse,
  send,
  readText,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe } from '../../support/describe.ts'
import type { Responder } from '../../support/scripted-service.ts'
import { withService, waitUntil, transports } from '../../support/scripted-service.ts'

const contract = routes({
  hello: pipe(path('/hello'), get(), produces(text)),
})

const hangs: Responder = () => undefined
const answers: Responder = (response) => void response.end('ok')
const resets: Responder = (_, __, ___, { socket }) => void socket.resetAndDestroy()
const fails: Responder = (response) => void response.writeHead(503).end('later')
const echoes: Responder = (response, { headers: fields }) =>
  void response.end(String(fields.authorization))

const first =
  (...all: ReadonlyArray<Responder>): Responder =>
  (response, seen, number, request) =>
    (all[number] ?? answers)(response, seen, number, request)

for (const [name, open] of transports)
  describe(`policies over ${name}`, (test) => {
    test('a half-open circuit sends one request at a time until enough have succeeded', () =>
      withService(first(resets, resets), async ({ url, seen }) => {
        const way = open()
        const passage = circuitBreaker({ failures: 2, open: '1s', halfOpen: 2 }).around(way.passage)
        const call = async (): Promise<unknown> => {
          const outcome = await passage(requestTo(url))()
          if (E.isRight(outcome)) await readText(outcome.right.body)
          return outcomeName(outcome)
        }
        const many = async (): Promise<ReadonlyArray<unknown>> =>
          (await Promise.all(Array.from({ length: 10 }, call))).toSorted((one) =>
            one === 200 ? -1 : 1,
          )
        assert.equal([await call(), await call()], ['NetworkError', 'NetworkError'])
        assert.equal(new Set(await many()), new Set(['Refused']))
        assert.is(seen.length, 2)
        await new Promise((resolve) => setTimeout(resolve, 1050))
        for (const requests of [3, 4]) {
          assert.equal(await many(), [200, ...Array.from({ length: 9 }, () => 'Refused')])
          assert.is(seen.length, requests)
        }
        assert.equal(new Set(await many()), new Set([200]))
        await way.close()
      }))
    test('concurrencyLimit limits requests until their bodies are read', () => {
      let running = 0
      let most = 0
      return withService(
        (response) => {
          most = Math.max(most, ++running)
          response.on('close', () => running--)
          response.write('a')
          setTimeout(() => response.end('b'), 5)
        },
        async ({ url, seen }) => {
          const way = open()
          const passage = concurrencyLimit(3).around(way.passage)
          const contents = await Promise.all(
            Array.from({ length: 40 }, async () =>
              readText(expectResponse(await passage(requestTo(url))()).body),
            ),
          )
          assert.equal([new Set(contents), seen.length], [new Set(['ab']), 40])
          assert.ok(most <= 3, `${most} at a time`)
          await way.close()
        },
      )
    })
    test('concurrencyLimit frees its slots when an outer policy throws', () =>
      withService(answers, async ({ url, seen }) => {
        const way = open()
        const throwing: ReadonlyArray<Policy> = [
          clientFilter(async (request, pass) => {
            await pass(request)()
            throw new Error('oops')
          }),
          retry({
            times: 1,
            on: () => {
              throw new Error('oops')
            },
          }),
          circuitBreaker({
            failures: 1,
            on: () => {
              throw new Error('oops')
            },
          }),
        ]
        const limited = concurrencyLimit(1).around(way.passage)
        for (const policy of throwing)
          for (let n = 0; n < 3; n++)
            assert.is(outcomeName(await policy.around(limited)(requestTo(url))()), 'Defect')
        assert.is(outcomeName(await limited(requestTo(url))()), 200)
        assert.is(seen.length, 10)
        await way.close()
      }))
    test('concurrencyLimit around a transport limits several clients together', () =>
      withService(hangs, async ({ url, seen }) => {
        const way = open()
        const transport = concurrencyLimit(2).around(way.passage)
        const caller = new AbortController()
        const calls = [1, 2, 3].map(() =>
          client(contract, { baseUrl: url, transport }).hello({}, { signal: caller.signal })(),
        )
        assert.ok(await waitUntil(() => seen.length === 2))
        await new Promise((resolve) => setTimeout(resolve, 20))
        assert.is(seen.length, 2)
        caller.abort()
        await Promise.all(calls)
        await way.close()
      }))
    test('rateLimit limits the requests per period', () =>
      withService(answers, async ({ url, seen }) => {
        const way = open()
        const sent: number[] = []
        const passage = rateLimit(2, '200ms').around((request) => {
          sent.push(performance.now())
          return way.passage(request)
        })
        await Promise.all(
          Array.from({ length: 5 }, async () =>
            readText(expectResponse(await passage(requestTo(url))()).body),
          ),
        )
        const [one = 0, , three = 0, , five = 0] = sent
        assert.ok(three - one >= 199 && five - three >= 199, sent.join(', '))
        assert.is(seen.length, 5)
        await way.close()
      }))
    test('hedge returns the second response and aborts the first request', () =>
      withService(first(hangs), async (service) => {
        const way = open()
        const outcome = await send(hedge('20ms'), way, requestTo(service.url))
        assert.is(await readText(expectResponse(outcome).body), 'ok')
        assert.is(service.seen.length, 2)
        assert.ok(await waitUntil(() => service.pending() === 0))
        await way.close()
      }))
    test('fallback returns the response of another service or of clientResponse', () =>
      withService(answers, (other) =>
        withService(fails, async ({ url }) => {
          const way = open()
          const elsewhere = fallback((_, request) => way.passage({ ...request, url: other.url }))
          const passage = concurrencyLimit(1).around(way.passage)
          for (let n = 0; n < 3; n++) {
            const response = expectResponse(await elsewhere.around(passage)(requestTo(url))())
            assert.is(await readText(response.body), 'ok')
          }
          const own = fallback((_, request) => clientResponse(request, { content: 'own' }))
          const hello = promising(
            client(contract, { baseUrl: url, transport: way.passage, policies: [own] }),
          )
          assert.is((await hello.hello()).body, 'own')
          await way.close()
        }),
      ))
    test('a filter renews an expired token', () =>
      withService(
        (response, seen, number, request) =>
          seen.headers.authorization === 'Bearer new'
            ? echoes(response, seen, number, request)
            : void response.writeHead(401).end('x'.repeat(1000)),
        async ({ url, seen }) => {
          const way = open()
          let token = 'old'
          const renewing = clientFilter(async (request, pass) => {
            const outcome = await pass(request)()
            if (E.isLeft(outcome) || outcome.right.status !== 401) return outcome
            // frees the slot for the next request
            await outcome.right.body?.cancel()
            token = 'new'
            return pass(request)()
          })
          const bearing = headers(() => ({ Authorization: `Bearer ${token}` }))
          const passage = [renewing, bearing, concurrencyLimit(1)].reduceRight(
            (next, { around }) => around(next),
            way.passage,
          )
          for (let n = 0; n < 3; n++)
            assert.is(
              await readText(expectResponse(await passage(requestTo(url))()).body),
              'Bearer new',
            )
          assert.is(seen.length, 4)
          await way.close()
        },
      ))
    test('policies of a call are outside those of the client', () =>
      withService(first(fails), async ({ url, seen }) => {
        const way = open()
        const events: string[] = []
        const recording = (label: string, priority?: number): Policy =>
          clientFilter(
            async (request, pass) => {
              events.push(`${label} in`)
              const outcome = await pass(request)()
              events.push(`${label} out`)
              return outcome
            },
            priority === undefined ? {} : { priority },
          )
        const one = client(contract, {
          baseUrl: url,
          transport: way.passage,
          policies: [
            retry({ times: 1, backoff: { first: 1 } }),
            recording('try'),
            observed(({ status }) => events.push(`${status}`)),
            recording('client', 1),
          ],
        })
        const mine = [recording('call'), basicAuth('ann', 'plum')]
        assert.is((await promising(one).hello({}, { policies: mine })).body, 'ok')
        assert.equal(events, [
          'call in',
          'client in',
          'try in',
          '503',
          'try out',
          'try in',
          '200',
          'try out',
          'client out',
          'call out',
        ])
        assert.equal(
          seen.map(({ headers: fields }) => fields.authorization),
          ['Basic YW5uOnBsdW0=', 'Basic YW5uOnBsdW0='],
        )
        await way.close()
      }))
    test('a filter creates a trace span and sends its context', () =>
      withService(
        (response, { headers: fields }) => void response.end(String(fields['traceparent'])),
        async ({ url }) => {
          const way = open()
          const spans: unknown[] = []
          const traced = clientFilter(async (request, pass) => {
            const span = {
              name: `${request.method} ${request.operation.template}`,
              id: '00-1-2-01',
            }
            const outcome = await headers({ traceparent: span.id }).around(pass)(request)()
            spans.push([span.name, outcomeName(outcome)])
            return outcome
          })
          const one = client(contract, {
            baseUrl: url,
            transport: way.passage,
            policies: [traced],
          })
          assert.is((await promising(one).hello()).body, '00-1-2-01')
          assert.equal(spans, [['GET /hello', 200]])
          await way.close()
        },
      ))
  })
