/** R-457 over a socket: wherever a call is when its caller goes, it ends at once, and with it all that it began. */
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
import { readError, requestTo, expectResponse, outcomeName } from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import type { Responder, Options, Service } from '../../support/scripted-service.ts'
import { withService, waitUntil, transports } from '../../support/scripted-service.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const hangs: Responder = () => undefined
const answers: Responder = (response) => void response.end('ok')
const resets: Responder = (_, __, ___, { socket }) => void socket.resetAndDestroy()

/** Answers the first requests so, and no other. */
const first =
  (...all: ReadonlyArray<Responder>): Responder =>
  (response, seen, number, request) =>
    (all[number] ?? hangs)(response, seen, number, request)

interface Scene extends Options {
  readonly answer: Responder
  readonly policies: ReadonlyArray<Policy>
  /** Calls before the one that is aborted, each of which comes to its end, or not. */
  readonly before?: ReadonlyArray<'ends' | 'hangs'>
  /** So many requests have come when it is aborted. */
  readonly seen: number
  readonly body?: ClientBody
}

let isLeft = false
const pieces: ClientBody = {
  _tag: 'Pieces',
  open: async function* () {
    isLeft = false
    try {
      for (;;) {
        yield new TextEncoder().encode('piece')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } finally {
      isLeft = true
    }
  },
}

const slow = { first: '1h', max: '1h' } as const

const scenes: Array<[title: string, scene: Scene]> = [
  ['it waits for a response', { answer: hangs, policies: [], seen: 1 }],
  [
    'it waits for its turn',
    { answer: hangs, policies: [concurrencyLimit(1)], before: ['hangs'], seen: 1 },
  ],
  [
    'it waits for its time',
    { answer: answers, policies: [rateLimit(1, '1h')], before: ['ends'], seen: 1 },
  ],
  [
    'it waits before it tries again',
    { answer: resets, policies: [retry({ times: 3, backoff: slow })], seen: 1 },
  ],
  [
    'it waits as long as it was asked to',
    {
      answer: (response) => void response.writeHead(429, { 'Retry-After': '60' }).end('later'),
      policies: [retry({ times: 3 })],
      seen: 1,
    },
  ],
  [
    'it tries again',
    { answer: first(resets), policies: [retry({ times: 3, backoff: { first: 1 } })], seen: 2 },
  ],
  [
    'it is led somewhere',
    {
      answer: first(
        (response) => void response.writeHead(302, { Location: '/there' }).end('there'),
      ),
      policies: [followRedirects()],
      seen: 2,
    },
  ],
  ['it is sent twice', { answer: hangs, policies: [hedge(1)], seen: 2 }],
  [
    'a breaker tries whether it may close',
    {
      answer: first(resets),
      policies: [circuitBreaker({ failures: 1, open: 0 })],
      before: ['ends'],
      seen: 2,
    },
  ],
  ['a token is renewed', { answer: hangs, policies: [bearerToken(never)], seen: 0 }],
  ['fields are made', { answer: hangs, policies: [headers(never)], seen: 0 }],
  ['a filter waits', { answer: hangs, policies: [clientFilter(never)], seen: 0 }],
  ['a fallback is looked for', { answer: resets, policies: [fallback(never)], seen: 1 }],
  ['its body is sent', { answer: hangs, policies: [], seen: 1, body: pieces, early: true }],
]

const timers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

for (const [name, open] of transports)
  describe(`calls that are aborted, over ${name}`, (test) => {
    for (const [kind, around] of [
      ['alone', []],
      [
        'among others',
        [
          timeout('1h'),
          clientFilter((one, send) => send(one)),
          timeout('1h', { covers: 'content' }),
        ],
      ],
    ] as const)
      table(
        test,
        scenes.map(([title, scene]): [string, Scene] => [`R-457: while ${title}, ${kind}`, scene]),
        async (_, { answer, policies, before = [], seen: expected, body, early = false }) => {
          const way = open()
          const passage = [...around, ...policies].reduceRight(
            (next, policy) => policy.around(next),
            way.passage,
          )
          await withService(
            answer,
            async (service: Service) => {
              const others = new AbortController()
              for (const end of before) {
                const call = passage(requestTo(service.url, { signal: others.signal }))()
                if (end === 'hangs') assert.ok(await waitUntil(() => service.seen.length === 1))
                else await call
              }
              const quiet = timers()
              const pending = service.pending()
              const caller = new AbortController()
              const { signal } = caller
              const method = body === undefined ? 'GET' : 'POST'
              const call = passage(requestTo(service.url, { signal, method, body }))()
              assert.ok(await waitUntil(() => service.seen.length === expected))
              // whatever it does next, it does
              await new Promise((resolve) => setTimeout(resolve, 20))
              const began = performance.now()
              caller.abort()
              assert.is(outcomeName(await call), 'Aborted')
              assert.ok(performance.now() - began < 5000)
              assert.is(getEventListeners(signal, 'abort').length, 0)
              assert.ok(await waitUntil(() => service.pending() === pending))
              assert.ok(await waitUntil(() => timers() <= quiet))
              assert.is(service.seen.length, expected)
              if (body !== undefined) assert.ok(await waitUntil(() => isLeft))
              others.abort()
            },
            { early },
          )
          await way.close()
        },
      )
    test('R-457: a breaker lets the next one try, when the one that tried was aborted', () =>
      withService(first(resets, hangs, answers), async ({ url, seen }) => {
        const way = open()
        const passage = circuitBreaker({ failures: 1, open: 0 }).around(way.passage)
        assert.is(outcomeName(await passage(requestTo(url))()), 'NetworkError')
        const caller = new AbortController()
        const second = passage(requestTo(url, { signal: caller.signal }))()
        assert.ok(await waitUntil(() => seen.length === 2))
        assert.is(outcomeName(await passage(requestTo(url))()), 'Refused')
        caller.abort()
        assert.is(outcomeName(await second), 'Aborted')
        assert.is(outcomeName(await passage(requestTo(url))()), 200)
        await way.close()
      }))
    test('R-457: while its content is read, through all policies', () =>
      withService(
        (response) => void response.writeHead(200).write('a piece'),
        async (service) => {
          const way = open()
          const all = [
            timeout('1h', { covers: 'content' }),
            retry({ times: 3 }),
            hedge('1h'),
            circuitBreaker({ failures: 1 }),
            concurrencyLimit(1),
            rateLimit(100, '1s'),
            followRedirects(),
            clientFilter((one, send) => send(one)),
            timeout('1h'),
          ]
          const passage = all.reduceRight((next, policy) => policy.around(next), way.passage)
          for (let n = 0; n < 3; n++) {
            const quiet = timers()
            const caller = new AbortController()
            const { signal } = caller
            const outcome = await passage(requestTo(service.url, { signal }))()
            const failure = readError(expectResponse(outcome).body)
            caller.abort(new Error('enough'))
            assert.is(String(await failure), 'Error: enough')
            assert.is(getEventListeners(signal, 'abort').length, 0)
            assert.ok(await waitUntil(() => service.pending() === 0))
            assert.ok(await waitUntil(() => timers() <= quiet))
          }
          await way.close()
        },
      ))
  })
