/**
 * Health endpoints for orchestrators such as Kubernetes. Filters, prefixes and access rules apply to them as to other endpoints.
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
  /** Checks of the process itself: one that is down should be restarted. Dependencies belong in `readiness`. */
  readonly liveness?: Checks
  /** Checks whether the process can handle requests. Always down once the server starts to shut down. */
  readonly readiness?: Checks
  /** Checks whether startup is complete. */
  readonly startup?: Checks
  /** Milliseconds within which a check must return, greater than 0 and less than 2^31. Default: 1000. */
  readonly timeout?: number
  /**
   * Called each time a check is down, with the error that it threw or the value of its `Left`, which responses do not contain. It
   * is not awaited, and its errors are ignored.
   */
  readonly onDown?: (name: string, cause: unknown) => unknown
}

/** Runs all checks of a group concurrently. */
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

const shutdownReport: ReadonlyArray<CheckReport> = [{ name: 'shutdown', status: 'DOWN' }]

/**
 * Creates a tree with `GET /health/live`, `/health/ready`, `/health/started`, and `/health` for all checks.
 *
 * Each endpoint runs its checks concurrently and responds with their results: 200 if all are up, 503 if one is down. Responses
 * must not be cached. Checks run on the event loop for each request, also while load shedding rejects other requests (`vital`).
 *
 * Throws a `RangeError` for an invalid timeout.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { health, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const pool = { idle: 3, query: async (_sql: string) => Promise.reject(new Error('no route to host')) }
 * const causes: unknown[] = []
 * const send = inMemory(
 *   routes({
 *     health: health({
 *       liveness: { pool: () => ({ status: 'UP', data: { idle: pool.idle } }) },
 *       readiness: { database: () => pool.query('select 1') },
 *       onDown: (name, cause) => causes.push(`${name}: ${cause}`),
 *     }),
 *   }),
 * )
 * const live = await send(new Request('http://localhost/health/live'))
 * const ready = await send(new Request('http://localhost/health/ready'))
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
    throw new RangeError(
      `health: timeout must be greater than 0 and less than 2^31 milliseconds, got ${timeout}`,
    )
  const group = (checks: Checks): Group => {
    const all = Object.entries(checks).map(([name, check]) =>
      reportingCheck(name, check, { timeout, onDown }),
    )
    return () => Promise.all(all.map((report) => report()))
  }
  const live = group(liveness)
  const checkReadiness = group(readiness)
  const ready: Group = async (stopping) =>
    stopping.aborted ? shutdownReport : checkReadiness(stopping)
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
