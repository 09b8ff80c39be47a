/** Load shedding over sockets. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  get,
  handle,
  health,
  int,
  path,
  post,
  produces,
  responseFilter,
  routes,
  text,
  critical,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { blockThread } from '../../support/cpu-time.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { waitUntil } from '../../support/workers.ts'

const api = pipe(
  routes({
    hold: pipe(
      path('/hold/{ms}', { ms: int }),
      get(),
      produces(text),
      handle(({ path: { ms } }) => {
        blockThread(ms)
        return 'held'
      }),
    ),
    light: pipe(
      path('/light'),
      get(),
      produces(text),
      handle(() => 'light'),
    ),
    take: pipe(
      path('/take'),
      post(),
      body(text),
      produces(text),
      handle((input) => input.body),
    ),
    metrics: pipe(
      path('/metrics'),
      get(),
      produces(text),
      handle(() => 'metrics'),
      critical,
    ),
    health: health(),
  }),
  withFilter(responseFilter(withHeader('X-Filtered', 'yes'))),
)

const startServer = (enabled = true, delay = 50): Promise<Server> =>
  serveLocally(api, {
    'fw.http.overload.enabled': enabled,
    'fw.http.overload.max-loop-delay': delay,
    'fw.http.overload.max-loop-utilization': 100,
    'fw.loop.stall': 0,
  })

type Row = readonly [request: string, status: number]

/** Resolves to the responses to requests that are read in the same turn as blocking ones, each on a separate connection. */
const sendAfterBlocking = async (server: Server, rows: ReadonlyArray<Row>) => {
  // the longest blocking request is ignored, and the clock is read for every eighth request
  const blocking = Array.from({ length: 64 }, () => rawRequest('GET /hold/25'))
  const all = [...blocking, ...rows.map(([request]) => request)]
  const connections = await Promise.all(all.map(() => connectTo(server.url)))
  // a response on each connection ensures that all are accepted and the next requests are read in one turn
  for (const connection of connections) connection.write(rawRequest('GET /metrics'))
  for (const connection of connections) assertResponse(await connection.next(), [200, 'metrics'])
  for (const [index, connection] of connections.entries()) connection.write(all[index] ?? '')
  const responses = await Promise.all(connections.map((connection) => connection.next()))
  for (const connection of connections) connection.destroy()
  return responses.slice(blocking.length)
}

describe('an overloaded server', (test) => {
  const rows: ReadonlyArray<Row> = [
    [rawRequest('GET /light'), 503],
    [rawRequest('POST /take', 'Content-Length: 5') + 'abcde', 503],
    // no 100 (Continue) for a body that is not read
    [rawRequest('POST /take', 'Content-Length: 5', 'Expect: 100-continue'), 503],
    [rawRequest('GET /metrics'), 200],
    [rawRequest('GET /health/live'), 200],
    [rawRequest('GET /nothing'), 404],
    [rawRequest('DELETE /light'), 405],
  ]
  test('rejects requests of a long turn, except for critical operations and unknown paths', async () => {
    const server = await startServer()
    try {
      const responses = await sendAfterBlocking(server, rows)
      assert.equal(
        responses.map(({ status }) => status),
        rows.map(([, status]) => status),
      )
      const [first] = responses
      assert.ok(first !== undefined)
      assert.is(headerOf(first, 'retry-after'), '1')
      assert.is(headerOf(first, 'x-filtered'), 'yes')
      assert.is(headerOf(first, 'content-type'), 'application/problem+json')
      assert.match(first.body, /"status":503,"detail":"The server is overloaded/)
    } finally {
      await server.close()
    }
  })
  test('rejects no request if load shedding is disabled', async () => {
    const server = await startServer(false)
    try {
      const [response] = await sendAfterBlocking(server, [[rawRequest('GET /light'), 200]])
      assert.is(response?.status, 200)
    } finally {
      await server.close()
    }
  })
  test('serves some requests during an overload and all requests afterwards', async () => {
    const server = await startServer(true, 100)
    try {
      const statuses: number[] = []
      const statusOf = async (target: string): Promise<number> => {
        const response = await fetch(`${server.url}${target}`)
        await response.text()
        return response.status
      }
      const isComplete = (): boolean => statuses.includes(503) && statuses.includes(200)
      const client = async (): Promise<void> => {
        while (!isComplete()) statuses.push(await statusOf('/hold/40'))
      }
      await Promise.all(Array.from({ length: 30 }, client))
      assert.equal(new Set(statuses), new Set([200, 503]))
      let successes = 0
      await waitUntil(async () => {
        successes = (await statusOf('/light')) === 200 ? successes + 1 : 0
        return successes === 10
      })
    } finally {
      await server.close()
    }
  })
})
