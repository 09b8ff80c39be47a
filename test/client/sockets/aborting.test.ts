/** Tests over sockets that an abort ends a call immediately in every phase, and releases its resources. */
import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import type { ClientBody, Policy } from '../../../src/client/exchange.ts'
import {
  bearerToken,
  circuitBreaker,
  clientFilter,
  concurrencyLimit,
  fallback,
  followRedirects,
  headers,
  hedge,
  rateLimit,
  retry,
  timeout,
} from '../../../src/client.ts'
import { readError, requestTo, expectResponse, statusOrTag } from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import type { Responder, Options, Service } from './scripted-service.ts'
import { withService, transports } from './scripted-service.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const hangs: Responder = () => undefined
const responds: Responder = (response) => void response.end('ok')
const resets: Responder = (_, __, ___, { socket }) => void socket.resetAndDestroy()

/** Applies one responder to each of the first requests. Later requests get no response. */
const first =
  (...all: ReadonlyArray<Responder>): Responder =>
  (response, seen, number, request) =>
    (all[number] ?? hangs)(response, seen, number, request)

interface Scene extends Options {
  readonly responder: Responder
  readonly policies: ReadonlyArray<Policy>
  /** Calls before the aborted one: whether each of them ends. */
  readonly before?: ReadonlyArray<'ends' | 'hangs'>
  /** Number of requests that the service has received when the call is aborted. */
  readonly seen: number
  readonly body?: ClientBody
}

let isSourceClosed = false
const streamedBody: ClientBody = {
  _tag: 'Streamed',
  open: async function* () {
    isSourceClosed = false
    try {
      for (;;) {
        yield new TextEncoder().encode('chunk')
        await turns()
      }
    } finally {
      isSourceClosed = true
    }
  },
}

const slow = { first: '1h', max: '1h' } as const

const scenes: Array<[title: string, scene: Scene]> = [
  ['the response is pending', { responder: hangs, policies: [], seen: 1 }],
  [
    'the request is queued by concurrencyLimit',
    { responder: hangs, policies: [concurrencyLimit(1)], before: ['hangs'], seen: 1 },
  ],
  [
    'the request is queued by rateLimit',
    { responder: responds, policies: [rateLimit(1, '1h')], before: ['ends'], seen: 1 },
  ],
  [
    'retry waits for the backoff',
    { responder: resets, policies: [retry({ times: 3, backoff: slow })], seen: 1 },
  ],
  [
    'retry waits for Retry-After',
    {
      responder: (response) => void response.writeHead(429, { 'Retry-After': '60' }).end('later'),
      policies: [retry({ times: 3 })],
      seen: 1,
    },
  ],
  [
    'a retry is pending',
    { responder: first(resets), policies: [retry({ times: 3, backoff: { first: 1 } })], seen: 2 },
  ],
  [
    'a redirected request is pending',
    {
      responder: first(
        (response) => void response.writeHead(302, { Location: '/target' }).end('moved'),
      ),
      policies: [followRedirects()],
      seen: 2,
    },
  ],
  ['hedged requests are pending', { responder: hangs, policies: [hedge(1)], seen: 2 }],
  [
    'a trial request of the circuit breaker is pending',
    {
      responder: first(resets),
      policies: [circuitBreaker({ failures: 1, open: 0 })],
      before: ['ends'],
      seen: 2,
    },
  ],
  ['a token is pending', { responder: hangs, policies: [bearerToken(never)], seen: 0 }],
  ['headers are pending', { responder: hangs, policies: [headers(never)], seen: 0 }],
  ['a filter is pending', { responder: hangs, policies: [clientFilter(never)], seen: 0 }],
  ['a fallback is pending', { responder: resets, policies: [fallback(never)], seen: 1 }],
  [
    'the request body is being sent',
    { responder: hangs, policies: [], seen: 1, body: streamedBody, early: true },
  ],
]

const timers = (): number =>
  process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length

for (const [name, open] of transports)
  describe(`aborted calls over ${name}`, (test) => {
    for (const [kind, around] of [
      ['without other policies', []],
      [
        'with other policies',
        [
          timeout('1h'),
          clientFilter((request, send) => send(request)),
          timeout('1h', { covers: 'body' }),
        ],
      ],
    ] as const)
      table(
        test,
        scenes.map(([title, scene]): [string, Scene] => [
          `an abort while ${title}, ${kind}`,
          scene,
        ]),
        async (_, { responder, policies, before = [], seen: expected, body, early = false }) => {
          const transport = open()
          const passage = [...around, ...policies].reduceRight(
            (next, policy) => policy.around(next),
            transport.passage,
          )
          await withService(
            responder,
            async (service: Service) => {
              const others = new AbortController()
              for (const end of before) {
                const call = passage(requestTo(service.url, { signal: others.signal }))()
                if (end === 'hangs') await waitUntil(() => service.seen.length === 1)
                else await call
              }
              const timersBefore = timers()
              const pending = service.pending()
              const caller = new AbortController()
              const { signal } = caller
              const method = body === undefined ? 'GET' : 'POST'
              const call = passage(requestTo(service.url, { signal, method, body }))()
              await waitUntil(() => service.seen.length === expected)
              // gives a wrong additional request time to arrive
              await turns()
              const start = performance.now()
              caller.abort()
              assert.is(statusOrTag(await call), 'Aborted')
              assert.ok(performance.now() - start < 5000)
              await waitUntil(() => getEventListeners(signal, 'abort').length === 0)
              await waitUntil(() => service.pending() === pending)
              await waitUntil(() => timers() <= timersBefore)
              assert.is(service.seen.length, expected)
              if (body !== undefined) await waitUntil(() => isSourceClosed)
              others.abort()
            },
            { early },
          )
          await transport.close()
        },
      )
    test('an aborted trial request does not block the circuit breaker', () =>
      withService(first(resets, hangs, responds), async ({ url, seen }) => {
        const transport = open()
        const passage = circuitBreaker({ failures: 1, open: 0 }).around(transport.passage)
        assert.is(statusOrTag(await passage(requestTo(url))()), 'NetworkError')
        const caller = new AbortController()
        const second = passage(requestTo(url, { signal: caller.signal }))()
        await waitUntil(() => seen.length === 2)
        assert.is(statusOrTag(await passage(requestTo(url))()), 'Rejected')
        caller.abort()
        assert.is(statusOrTag(await second), 'Aborted')
        assert.is(statusOrTag(await passage(requestTo(url))()), 200)
        await transport.close()
      }))
    test('an abort while the response body is read, with all policies', () =>
      withService(
        (response) => void response.writeHead(200).write('a chunk'),
        async (service) => {
          const transport = open()
          const all = [
            timeout('1h', { covers: 'body' }),
            retry({ times: 3 }),
            hedge('1h'),
            circuitBreaker({ failures: 1 }),
            concurrencyLimit(1),
            rateLimit(100, '1s'),
            followRedirects(),
            clientFilter((request, send) => send(request)),
            timeout('1h'),
          ]
          const passage = all.reduceRight((next, policy) => policy.around(next), transport.passage)
          for (let n = 0; n < 3; n++) {
            const timersBefore = timers()
            const caller = new AbortController()
            const { signal } = caller
            const result = await passage(requestTo(service.url, { signal }))()
            const failure = readError(expectResponse(result).body)
            caller.abort(new Error('enough'))
            assert.is(String(await failure), 'Error: enough')
            assert.is(getEventListeners(signal, 'abort').length, 0)
            await waitUntil(() => service.pending() === 0)
            await waitUntil(() => timers() <= timersBefore)
          }
          await transport.close()
        },
      ))
  })
