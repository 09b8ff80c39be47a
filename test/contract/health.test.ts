/** Health endpoints: paths, statuses and documents of MicroProfile Health, by which supervisors read them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  blocking,
  health,
  prefix,
  reply,
  requestFilter,
  routes,
  withFilter,
} from '../../src/index.ts'
import { explain } from '../../src/node.ts'
import { inMemory, testContext } from '../../src/testing.ts'
import { answerTo, answers, ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const UP = 'UP' as const
const DOWN = 'DOWN' as const
const threads = { name: 'threads', status: UP, data: { busy: 2 } }
const database = { name: 'database', status: UP }
const queue = { name: 'queue', status: DOWN, data: { waiting: 7 } }
const migration = { name: 'migration', status: UP }

const some = routes({
  health: health({
    liveness: { threads: () => ({ status: UP, data: { busy: 2 } }) },
    readiness: {
      database: async () => true,
      queue: () => ({ status: DOWN, data: { waiting: 7 } }),
    },
    startup: { migration: () => undefined },
  }),
})

contract('Health: a service that is not ready', some, (test, call) => {
  table(
    test,
    [
      ['/health/live', 200, { status: UP, checks: [threads] }],
      ['/health/ready', 503, { status: DOWN, checks: [database, queue] }],
      ['/health/started', 200, { status: UP, checks: [migration] }],
      ['/health', 503, { status: DOWN, checks: [threads, database, queue, migration] }],
    ] as const,
    async (path, status, report) =>
      assert.equal(await answerTo(call, `GET ${path}`), [status, report]),
  )
  for (const path of ['/health/live', '/health/ready'])
    test(`${path} is JSON that nobody keeps`, async () => {
      const { headers } = await ask(call, `GET ${path}`)
      assert.is(headers.get('content-type'), 'application/json')
      assert.is(headers.get('cache-control'), 'no-store')
    })
  test('HEAD has the same status', async () => {
    const response = await ask(call, 'HEAD /health/ready')
    assert.equal([response.status, await response.text()], [503, ''])
  })
  answers(test, call, [
    ['nothing is posted', 'POST /health', 405],
    ['there are no others', 'GET /health/other', 404],
  ])
})

const nothing = { status: UP, checks: [] }

contract('Health: a service without checks', routes({ health: health() }), (test, call) =>
  answers(test, call, [
    ['lives', 'GET /health/live', nothing],
    ['is ready', 'GET /health/ready', nothing],
    ['has started', 'GET /health/started', nothing],
    ['is well', 'GET /health', nothing],
  ]),
)

const leaking = routes({
  health: health({
    readiness: {
      database: () => {
        throw new Error('password "hunter2" was refused')
      },
    },
  }),
})

contract('Health: why a check is down is not told', leaking, (test, call) => {
  test('neither message nor stack', async () => {
    assert.equal(await answerTo(call, 'GET /health/ready'), [
      503,
      { status: DOWN, checks: [{ name: 'database', status: DOWN }] },
    ])
  })
})

const surrounded = pipe(
  routes({ health: health() }),
  prefix('/q'),
  withFilter(
    requestFilter(({ request }) => {
      return request.header('Authorization') === undefined ? reply(401) : undefined
    }),
  ),
  blocking,
)

contract('Health: endpoints like others', surrounded, (test, call) => {
  test('stand behind prefixes and filters', async () => {
    const init = { headers: { authorization: 'Basic YTpi' } }
    assert.is((await ask(call, 'GET /q/health/live', init)).status, 200)
    assert.is((await ask(call, 'GET /q/health/live')).status, 401)
  })
})

describe('health', (test) => {
  table(test, [[0], [-1], [NaN], [Infinity], [2 ** 31]] as const, (timeout) =>
    assert.throws(
      () => health({ timeout }),
      (error: unknown) => error instanceof RangeError && error.message.includes(String(timeout)),
    ),
  )
  test('a stopping server is not ready, and its checks are left alone', async () => {
    let runs = 0
    const { ready, all, live } = Object.fromEntries(
      health({ readiness: { database: () => void runs++ } }).children,
    )
    assert.ok(ready?._tag === 'Endpoint' && all?._tag === 'Endpoint' && live?._tag === 'Endpoint')
    const context = testContext({ application: { stopping: AbortSignal.abort() } })
    const statuses = [ready, all, live].map(async ({ definition }) =>
      JSON.stringify(await definition.handler?.({}, context)),
    )
    const shutdown = '"checks":[{"name":"shutdown","status":"DOWN"}]'
    assert.match((await statuses[0]) ?? '', shutdown)
    assert.match((await statuses[1]) ?? '', shutdown)
    assert.is(await statuses[2], '{"status":"UP","checks":[]}')
    assert.is(runs, 0)
  })
  test('its operations have names', () =>
    assert.equal(
      explain(some)
        .split('\n')
        .filter((line) => line.startsWith('GET')),
      [
        'GET /health  (health.all)',
        'GET /health/live  (health.live)',
        'GET /health/ready  (health.ready)',
        'GET /health/started  (health.started)',
      ],
    ))
  test('in memory nothing stops', async () => {
    const call = inMemory(routes({ health: health() }))
    assert.is((await ask(call, 'GET /health/ready')).status, 200)
  })
})
