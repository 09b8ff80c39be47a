/** Combines all policies with a misbehaving service, and checks that 500 calls leave no resources behind. */
import { getEventListeners, setMaxListeners } from 'node:events'
import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import type { Observation } from '../../../src/client.ts'
import {
  bearerToken,
  circuitBreaker,
  clientFilter,
  concurrencyLimit,
  fallback,
  followRedirects,
  hedge,
  logging,
  observeRequests,
  rateLimit,
  retry,
  timeout,
} from '../../../src/client.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { readError, requestTo, expectResponse, statusOrTag } from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import type { Responder } from './scripted-service.ts'
import { withService, transports } from './scripted-service.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const long = 'x'.repeat(300_000)

/** The behaviours of the service, one request after the other. */
const behaviours: ReadonlyArray<Responder> = [
  (response) => void response.end('ok'),
  (response) => void response.end(long),
  (_, __, ___, { socket }) => void socket.resetAndDestroy(),
  (response) => void response.writeHead(503).end(long),
  (response) => void response.writeHead(302, { Location: '/target' }).end('moved'),
  () => undefined,
  (response) => void response.writeHead(429, { 'Retry-After': '0' }).end('slower'),
  (_, __, ___, { socket }) => void socket.end('HTTP/1.1 200 O'),
  (response) => void response.writeHead(204).end(),
  (response, _, __, { socket }) => {
    response.writeHead(200, { 'Content-Length': '1000000' }).write(long)
    setTimeout(() => socket.destroy(), 10)
  },
  (response) => {
    response.write('a')
    setTimeout(() => response.end('b'), 20)
  },
]

const timers = (): number =>
  process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length

const body: ClientBody = { _tag: 'Buffered', data: long }

for (const [name, open] of transports)
  describe(`500 calls of a misbehaving service over ${name}`, (test) => {
    test('no slots, timers, listeners or connections leak, and request bodies are complete', async () => {
      const transport = open()
      const broken: string[] = []
      const calls: Observation[] = []
      const attempts: Observation[] = []
      let isHolding = false
      await withService(
        (response, seen, number, request) => {
          if (isHolding) return
          if (seen.body !== (seen.method === 'PUT' ? long : '')) broken.push(`${number}`)
          if (seen.headers.authorization !== 'Bearer token') broken.push(`${number}: credentials`)
          behaviours[number % behaviours.length]?.(response, seen, number, request)
        },
        async (service) => {
          const limit = 8
          const policies = [
            observeRequests((observation) => calls.push(observation)),
            fallback(() => undefined),
            timeout('20s', { covers: 'body' }),
            logging({ logger: silentLogger, scope: 'all' }),
            retry({ times: 3, backoff: { first: 1 }, budget: 'unlimited' }),
            circuitBreaker({ failures: 1_000_000 }),
            rateLimit(100_000, '1s'),
            hedge('30ms', { budget: 'unlimited' }),
            concurrencyLimit(limit, { queue: 1000 }),
            clientFilter((request, send) => send(request)),
            followRedirects(),
            bearerToken(async () => 'token'),
            timeout('300ms'),
            observeRequests((observation) => attempts.push(observation)),
          ]
          const passage = policies.reduceRight(
            (next, { around }) => around(next),
            transport.passage,
          )
          const timersBefore = timers()
          const shared = new AbortController()
          setMaxListeners(0, shared.signal)
          const all = Array.from({ length: 500 }, async (_, n) => {
            const controller = new AbortController()
            const { signal } = n % 5 === 0 ? controller : shared
            const method = n % 4 === 0 ? 'PUT' : 'GET'
            const request = requestTo(`${service.url}/${n}`, {
              method,
              body: method === 'PUT' ? body : undefined,
              signal: n % 3 === 0 ? undefined : signal,
            })
            if (n % 10 === 0) setTimeout(() => controller.abort(), 5 * (n % 70))
            const result = await passage(request)()
            if (typeof statusOrTag(result) === 'string') return statusOrTag(result)
            const response = expectResponse(result)
            if (n % 7 === 0) await response.body?.cancel()
            else await readError(response.body)
            return statusOrTag(result)
          })
          const results = await Promise.all(all)
          assert.equal(broken, [])
          const expected = [200, 204, 302, 429, 503, 'NetworkError', 'TimedOut', 'Aborted']
          assert.equal(
            results.filter((result) => !expected.includes(result)),
            [],
          )
          assert.ok(results.filter((result) => result === 200 || result === 204).length > 250)
          assert.is(calls.length, 500)
          assert.ok(attempts.length > 500 && attempts.length < 500 * 4 * 2 * 6)
          assert.is(getEventListeners(shared.signal, 'abort').length, 0)
          await waitUntil(() => timers() <= timersBefore)

          // no slot has leaked: exactly the limit is sent concurrently
          isHolding = true
          await waitUntil(() => service.pending() === 0)
          const callers = Array.from({ length: limit + 3 }, () => new AbortController())
          const before = service.seen.length
          const held = callers.map(({ signal }) =>
            passage(requestTo(service.url, { method: 'POST', signal }))(),
          )
          await waitUntil(() => service.seen.length === before + limit)
          await turns()
          assert.is(service.seen.length, before + limit)
          for (const caller of callers) caller.abort()
          assert.equal(new Set((await Promise.all(held)).map(statusOrTag)), new Set(['Aborted']))
          await waitUntil(() => service.pending() === 0)
          await transport.close()
          await waitUntil(() => service.open() === 0)
        },
      )
    })
  })
