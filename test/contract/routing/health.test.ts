/** Health endpoints: paths, statuses and documents of MicroProfile Health. */
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
} from '../../../src/index.ts'
import { describeRoutes } from '../../../src/node.ts'
import { inMemory, testContext } from '../../../src/testing.ts'
import { responseTo, testRequests, sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const UP = 'UP' as const
const DOWN = 'DOWN' as const
const threads = { name: 'threads', status: UP, data: { busy: 2 } }
const database = { name: 'database', status: UP }
const queue = { name: 'queue', status: DOWN, data: { waiting: 7 } }
const migration = { name: 'migration', status: UP }

const tree = routes({
  health: health({
    liveness: { threads: () => ({ status: UP, data: { busy: 2 } }) },
    readiness: {
      database: async () => true,
      queue: () => ({ status: DOWN, data: { waiting: 7 } }),
    },
    startup: { migration: () => undefined },
  }),
})

contract('health endpoints of a service that is not ready', tree, (test, call) => {
  table(
    test,
    [
      ['/health/live', 200, { status: UP, checks: [threads] }],
      ['/health/ready', 503, { status: DOWN, checks: [database, queue] }],
      ['/health/started', 200, { status: UP, checks: [migration] }],
      ['/health', 503, { status: DOWN, checks: [threads, database, queue, migration] }],
    ] as const,
    async (path, status, report) =>
      assert.equal(await responseTo(call, `GET ${path}`), [status, report]),
  )
  for (const path of ['/health/live', '/health/ready'])
    test(`${path} is JSON and is not cached`, async () => {
      const { headers } = await sendRequest(call, `GET ${path}`)
      assert.is(headers.get('content-type'), 'application/json')
      assert.is(headers.get('cache-control'), 'no-store')
    })
  test('HEAD sends the status of GET', async () => {
    const response = await sendRequest(call, 'HEAD /health/ready')
    assert.equal([response.status, await response.text()], [503, ''])
  })
  testRequests(test, call, [
    ['an unsupported method', 'POST /health', 405],
    ['an unknown check', 'GET /health/other', 404],
  ])
})

const empty = { status: UP, checks: [] }

contract('health endpoints without checks', routes({ health: health() }), (test, call) =>
  testRequests(test, call, [
    ['liveness', 'GET /health/live', empty],
    ['readiness', 'GET /health/ready', empty],
    ['startup', 'GET /health/started', empty],
    ['all checks', 'GET /health', empty],
  ]),
)

const leaking = routes({
  health: health({
    readiness: {
      database: () => {
        throw new Error('password "hunter2" was rejected')
      },
    },
  }),
})

contract('health check that throws', leaking, (test, call) => {
  test('the document contains neither message nor stack', async () => {
    assert.equal(await responseTo(call, 'GET /health/ready'), [
      503,
      { status: DOWN, checks: [{ name: 'database', status: DOWN }] },
    ])
  })
})

const protectedTree = pipe(
  routes({ health: health() }),
  prefix('/q'),
  withFilter(
    requestFilter(({ request }) => {
      return request.header('Authorization') === undefined ? reply(401) : undefined
    }),
  ),
  blocking,
)

contract('health endpoints with a prefix and a filter', protectedTree, (test, call) => {
  test('prefixes and filters apply to health endpoints', async () => {
    const init = { headers: { authorization: 'Basic YTpi' } }
    assert.is((await sendRequest(call, 'GET /q/health/live', init)).status, 200)
    assert.is((await sendRequest(call, 'GET /q/health/live')).status, 401)
  })
})

describe('health', (test) => {
  table(test, [[0], [-1], [NaN], [Infinity], [2 ** 31]] as const, (timeout) =>
    assert.throws(
      () => health({ timeout }),
      (error: unknown) => error instanceof RangeError && error.message.includes(String(timeout)),
    ),
  )
  test('a stopping server is not ready and runs no checks', async () => {
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
  test('describeRoutes lists the names of the operations', () =>
    assert.equal(
      describeRoutes(tree)
        .split('\n')
        .filter((line) => line.startsWith('GET')),
      [
        'GET /health  (health.all)',
        'GET /health/live  (health.live)',
        'GET /health/ready  (health.ready)',
        'GET /health/started  (health.started)',
      ],
    ))
  test('an in-memory server is ready', async () => {
    const call = inMemory(routes({ health: health() }))
    assert.is((await sendRequest(call, 'GET /health/ready')).status, 200)
  })
})
