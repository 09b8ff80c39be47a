/**
 * Health endpoints, ready-made: by them a supervisor learns whether to send requests to a process, and whether to start it
 * anew. They are endpoints like others, so filters, prefixes and access apply to them.
 *
 * Why a place of its own, beside the ready-made filters: a filter stands around operations, and these are operations.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { nonBlocking, vital } from '../endpoint/execution.ts'
import { handle } from '../endpoint/handle.ts'
import { get, path } from '../endpoint/path.ts'
import { reply } from '../endpoint/reply.ts'
import { json } from '../endpoint/json.ts'
import { fails, produces, responseHeader } from '../endpoint/responses.ts'
import { routes } from '../endpoint/routes.ts'
import type { Check } from './check.ts'
import { reportingCheck } from './check.ts'
import type { CheckReport } from './report.ts'
import { Report, reportOf } from './report.ts'

/** Checks by name. */
export interface Checks {
  readonly [name: string]: Check
}

export interface HealthOptions {
  /** Whether the process works; one that is down should be started anew. What it depends on belongs to `readiness`. */
  readonly liveness?: Checks
  /** Whether requests should be sent here. Down anyway from when the server begins to stop. */
  readonly readiness?: Checks
  /** Whether the start is over. */
  readonly startup?: Checks
  /** Milliseconds in which a check has to answer, more than 0 and less than 2^31; 1000 by default. */
  readonly timeout?: number
  /**
   * Learns each time that a check is down, and why: what it threw or returned as a `Left`, which no client is told. It is not
   * waited for, and its own errors are dropped.
   */
  readonly onDown?: (name: string, cause: unknown) => unknown
}

/** All checks of a group, at the same time. */
type Group = (stopping: AbortSignal) => Promise<ReadonlyArray<CheckReport>>

const probe = (location: string, ...groups: ReadonlyArray<Group>) =>
  pipe(
    path(location),
    get(),
    produces(json(Report)),
    fails(503, json(Report)),
    responseHeader('Cache-Control', 'no-store'),
    handle(async (_, { application: { stopping } }) => {
      const checks = await Promise.all(groups.map((group) => group(stopping)))
      const report = reportOf(checks.flat())
      return report.status === 'UP' ? report : reply(503, report)
    }),
  )

const stopped: ReadonlyArray<CheckReport> = [{ name: 'shutdown', status: 'DOWN' }]

/**
 * A tree of `GET /health/live`, `/health/ready`, `/health/started` and, for all of them together, `/health`. Each runs its
 * checks at the same time and answers with their results: 200 when all are up, 503 when one is down, never cached. Checks are
 * run on the event loop, for every request anew, and also while the server refuses others (`vital`).
 *
 * Throws a `RangeError` for a timeout that is none.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { health, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const pool = { idle: 3, query: async (_sql: string) => Promise.reject(new Error('no route to host')) }
 * const causes: unknown[] = []
 * const call = inMemory(
 *   routes({
 *     health: health({
 *       liveness: { pool: () => ({ status: 'UP', data: { idle: pool.idle } }) },
 *       readiness: { database: () => pool.query('select 1') },
 *       onDown: (name, cause) => causes.push(`${name}: ${cause}`),
 *     }),
 *   }),
 * )
 * const live = await call(new Request('http://localhost/health/live'))
 * const ready = await call(new Request('http://localhost/health/ready'))
 *
 * assert.equal(live.status, 200)
 * assert.deepEqual(await live.json(), {
 *   status: 'UP',
 *   checks: [{ name: 'pool', status: 'UP', data: { idle: 3 } }],
 * })
 * assert.equal(ready.status, 503)
 * assert.deepEqual(await ready.json(), {
 *   status: 'DOWN',
 *   checks: [{ name: 'database', status: 'DOWN' }],
 * })
 * assert.deepEqual(causes, ['database: Error: no route to host'])
 * ```
 */
export const health = ({
  liveness = {},
  readiness = {},
  startup = {},
  timeout = 1000,
  onDown = () => undefined,
}: HealthOptions = {}) => {
  if (!(timeout > 0 && timeout < 2 ** 31))
    throw new RangeError(`health: a timeout is a number of milliseconds, not ${timeout}`)
  const group = (checks: Checks): Group => {
    const all = Object.entries(checks).map(([name, check]) =>
      reportingCheck(name, check, { timeout, onDown }),
    )
    return () => Promise.all(all.map((report) => report()))
  }
  const live = group(liveness)
  const checked = group(readiness)
  const ready: Group = async (stopping) => (stopping.aborted ? stopped : checked(stopping))
  const started = group(startup)
  return pipe(
    routes({
      all: probe('/health', live, ready, started),
      live: probe('/health/live', live),
      ready: probe('/health/ready', ready),
      started: probe('/health/started', started),
    }),
    nonBlocking,
    vital,
  )
}
