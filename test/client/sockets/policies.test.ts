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
  observeRequests,
  rateLimit,
  retry,
  promiseClient,
} from '../../../src/client.ts'
import { get, path, produces, routes, text } from '../../../src/index.ts'
import { requestTo, expectResponse, send, readText, statusOrTag } from '../fake-transport.ts'
import { describeConcurrently } from '../../support/describe.ts'
import type { Responder } from './scripted-service.ts'
import { withService, transports } from './scripted-service.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const contract = routes({
  hello: pipe(path('/hello'), get(), produces(text)),
})

const hangs: Responder = () => undefined
const responds: Responder = (response) => void response.end('ok')
const resets: Responder = (_, __, ___, { socket }) => void socket.resetAndDestroy()
const fails: Responder = (response) => void response.writeHead(503).end('later')
const echoes: Responder = (response, { headers: received }) =>
  void response.end(String(received.authorization))

const first =
  (...all: ReadonlyArray<Responder>): Responder =>
  (response, seen, number, request) =>
    (all[number] ?? responds)(response, seen, number, request)

for (const [name, open] of transports)
  describeConcurrently(`policies over ${name}`, (test) => {
    test('a half-open circuit sends one request at a time until enough have succeeded', () =>
      withService(first(resets, resets), async ({ url, seen }) => {
        const transport = open()
        const passage = circuitBreaker({ failures: 2, open: '1s', halfOpen: 2 }).around(
          transport.passage,
        )
        const call = async (): Promise<unknown> => {
          const result = await passage(requestTo(url))()
          if (E.isRight(result)) await readText(result.right.body)
          return statusOrTag(result)
        }
        const many = async (): Promise<ReadonlyArray<unknown>> =>
          (await Promise.all(Array.from({ length: 10 }, call))).toSorted((status) =>
            status === 200 ? -1 : 1,
          )
        assert.equal([await call(), await call()], ['NetworkError', 'NetworkError'])
        assert.equal(new Set(await many()), new Set(['Rejected']))
        assert.is(seen.length, 2)
        await new Promise((resolve) => setTimeout(resolve, 1050))
        for (const requests of [3, 4]) {
          assert.equal(await many(), [200, ...Array.from({ length: 9 }, () => 'Rejected')])
          assert.is(seen.length, requests)
        }
        assert.equal(new Set(await many()), new Set([200]))
        await transport.close()
      }))
    test('concurrencyLimit limits requests until their bodies are read', () => {
      let running = 0
      let limit = 0
      return withService(
        (response) => {
          limit = Math.max(limit, ++running)
          response.on('close', () => running--)
          response.write('a')
          setImmediate(() => response.end('b'))
        },
        async ({ url, seen }) => {
          const transport = open()
          const passage = concurrencyLimit(3).around(transport.passage)
          const contents = await Promise.all(
            Array.from({ length: 40 }, async () =>
              readText(expectResponse(await passage(requestTo(url))()).body),
            ),
          )
          assert.equal([new Set(contents), seen.length], [new Set(['ab']), 40])
          assert.ok(limit <= 3, `${limit} at a time`)
          await transport.close()
        },
      )
    })
    test('concurrencyLimit frees its slots when an outer policy throws', () =>
      withService(responds, async ({ url, seen }) => {
        const transport = open()
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
        const limited = concurrencyLimit(1).around(transport.passage)
        for (const policy of throwing)
          for (let n = 0; n < 3; n++)
            assert.is(statusOrTag(await policy.around(limited)(requestTo(url))()), 'Defect')
        assert.is(statusOrTag(await limited(requestTo(url))()), 200)
        assert.is(seen.length, 10)
        await transport.close()
      }))
    test('concurrencyLimit around a transport limits several clients together', () =>
      withService(hangs, async ({ url, seen }) => {
        const transport = open()
        const limited = concurrencyLimit(2).around(transport.passage)
        const caller = new AbortController()
        const calls = [1, 2, 3].map(() =>
          client(contract, { baseUrl: url, transport: limited }).hello(
            {},
            { signal: caller.signal },
          )(),
        )
        await waitUntil(() => seen.length === 2)
        await turns()
        assert.is(seen.length, 2)
        caller.abort()
        await Promise.all(calls)
        await transport.close()
      }))
    test('rateLimit limits the requests per period', () =>
      withService(responds, async ({ url, seen }) => {
        const transport = open()
        const begin = performance.now()
        const sent: number[] = []
        const passage = rateLimit(2, '200ms').around((request) => {
          sent.push(performance.now())
          return transport.passage(request)
        })
        await Promise.all(
          Array.from({ length: 5 }, async () =>
            readText(expectResponse(await passage(requestTo(url))()).body),
          ),
        )
        const times = sent.map((time) => time - begin)
        const [, , third = 0, , fifth = 0] = times
        assert.ok(third >= 199 && fifth >= 398, times.join(', '))
        assert.is(seen.length, 5)
        await transport.close()
      }))
    test('hedge returns the second response and aborts the first request', () =>
      withService(first(hangs), async (service) => {
        const transport = open()
        const result = await send(hedge('20ms'), transport, requestTo(service.url))
        assert.is(await readText(expectResponse(result).body), 'ok')
        assert.is(service.seen.length, 2)
        await waitUntil(() => service.pending() === 0)
        await transport.close()
      }))
    test('fallback returns the response of another service or of clientResponse', () =>
      withService(responds, (other) =>
        withService(fails, async ({ url }) => {
          const transport = open()
          const elsewhere = fallback((_, request) =>
            transport.passage({ ...request, url: other.url }),
          )
          const passage = concurrencyLimit(1).around(transport.passage)
          for (let n = 0; n < 3; n++) {
            const response = expectResponse(await elsewhere.around(passage)(requestTo(url))())
            assert.is(await readText(response.body), 'ok')
          }
          const replacement = fallback((_, request) => clientResponse(request, { content: 'own' }))
          const hello = promiseClient(contract, {
            baseUrl: url,
            transport: transport.passage,
            policies: [replacement],
          })
          assert.is((await hello.hello()).body, 'own')
          await transport.close()
        }),
      ))
    test('a filter renews an expired token', () =>
      withService(
        (response, seen, number, request) =>
          seen.headers.authorization === 'Bearer new'
            ? echoes(response, seen, number, request)
            : void response.writeHead(401).end('x'.repeat(1000)),
        async ({ url, seen }) => {
          const transport = open()
          let token = 'old'
          const renewing = clientFilter(async (request, pass) => {
            const result = await pass(request)()
            if (E.isLeft(result) || result.right.status !== 401) return result
            // frees the slot for the next request
            await result.right.body?.cancel()
            token = 'new'
            return pass(request)()
          })
          const bearing = headers(() => ({ Authorization: `Bearer ${token}` }))
          const passage = [renewing, bearing, concurrencyLimit(1)].reduceRight(
            (next, { around }) => around(next),
            transport.passage,
          )
          for (let n = 0; n < 3; n++)
            assert.is(
              await readText(expectResponse(await passage(requestTo(url))()).body),
              'Bearer new',
            )
          assert.is(seen.length, 4)
          await transport.close()
        },
      ))
    test('policies of a call are outside those of the client', () =>
      withService(first(fails), async ({ url, seen }) => {
        const transport = open()
        const events: string[] = []
        const recording = (label: string, priority?: number): Policy =>
          clientFilter(
            async (request, pass) => {
              events.push(`${label} in`)
              const result = await pass(request)()
              events.push(`${label} out`)
              return result
            },
            priority === undefined ? {} : { priority },
          )
        const library = promiseClient(contract, {
          baseUrl: url,
          transport: transport.passage,
          policies: [
            retry({ times: 1, backoff: { first: 1 } }),
            recording('try'),
            observeRequests(({ status }) => events.push(`${status}`)),
            recording('client', 1),
          ],
        })
        const mine = [recording('call'), basicAuth('ann', 'plum')]
        assert.is((await library.hello({}, { policies: mine })).body, 'ok')
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
          seen.map(({ headers: received }) => received.authorization),
          ['Basic YW5uOnBsdW0=', 'Basic YW5uOnBsdW0='],
        )
        await transport.close()
      }))
    test('a filter creates a trace span and sends its context', () =>
      withService(
        (response, { headers: received }) => void response.end(String(received['traceparent'])),
        async ({ url }) => {
          const transport = open()
          const spans: unknown[] = []
          const traced = clientFilter(async (request, pass) => {
            const span = {
              name: `${request.method} ${request.operation.template}`,
              id: '00-1-2-01',
            }
            const result = await headers({ traceparent: span.id }).around(pass)(request)()
            spans.push([span.name, statusOrTag(result)])
            return result
          })
          const library = promiseClient(contract, {
            baseUrl: url,
            transport: transport.passage,
            policies: [traced],
          })
          assert.is((await library.hello()).body, '00-1-2-01')
          assert.equal(spans, [['GET /hello', 200]])
          await transport.close()
        },
      ))
  })
