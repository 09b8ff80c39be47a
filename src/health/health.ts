/**
 * Health endpoints for orchestrators such as Kubernetes. Filters, prefixes and access rules apply to health endpoints
 * in the same way as to other endpoints.
 */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import * as t from 'io-ts'
import type { Either } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { summary } from '../endpoint/documentation.ts'
import { nonBlocking, critical } from '../endpoint/operation-attributes.ts'
import { handle } from '../endpoint/handle.ts'
import { get, path } from '../endpoint/path.ts'
import { reply } from '../endpoint/reply.ts'
import { json } from '../endpoint/built-in-formats.ts'
import { fails, produces, responseHeader } from '../endpoint/responses.ts'
import { routes } from '../endpoint/routes.ts'

const Status = t.keyof({ UP: null, DOWN: null })

/** The codec for the result of one check in a response. */
export const CheckReport = t.intersection([
  t.type({ name: t.string, status: Status }),
  t.partial({ data: t.record(t.string, t.union([t.string, t.number, t.boolean])) }),
])
export type CheckReport = t.TypeOf<typeof CheckReport>

/** The codec for the response body of a health endpoint. */
export const Report = t.type({ status: Status, checks: t.readonlyArray(CheckReport) })
export type Report = t.TypeOf<typeof Report>

/** Combines the reports of several checks. The status is `DOWN` if at least one check is `DOWN`. */
const reportOf = (checks: ReadonlyArray<CheckReport>): Report => ({
  status: checks.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN',
  checks,
})

/** The status of a component. `data` is included in the response of the health endpoint. */
export interface CheckResult {
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/**
 * A function that checks the health of a component. It returns the result, or a promise or `Task` that resolves to the
 * result.
 *
 * The component is down if the check returns `false`, a `Left` or a result with the status `DOWN`. It is also down if
 * the check throws an error or if the returned promise is rejected. If the check exceeds the timeout, the component is
 * down, and `signal` is aborted. Otherwise, the component is up. A check that is still running is not started again.
 * Concurrent requests share its result.
 */
export type Check = (
  signal: AbortSignal,
) => Returned | Promise<Returned> | (() => Promise<Returned>)
type Returned = Health | Either<unknown, Health>
// `void` allows functions that return nothing

type Health = void | boolean | CheckResult

/** Options that apply to all checks. */
export interface CheckOptions {
  /** Maximum time, in milliseconds, that a check can take. */
  readonly timeout: number
  /**
   * Called when a component is down. If this function throws an error or returns a promise that is rejected, the error
   * is ignored.
   */
  readonly onDown: (name: string, cause: unknown) => unknown
}

/**
 * Returns a function that runs a check and reports the result. The promise returned by this function resolves within
 * the timeout and is never rejected.
 */
export const reportingCheck = (
  name: string,
  check: Check,
  { timeout, onDown }: CheckOptions,
): (() => Promise<CheckReport>) => {
  let running: Run | undefined
  const reportDown = (cause: unknown, result: CheckResult): CheckReport => {
    void (async () => onDown(name, cause))().catch(() => undefined)
    return { ...result, name, status: 'DOWN' }
  }
  return async () => {
    const run = (running ??= start(check, () => {
      running = undefined
    }))
    let timer: ReturnType<typeof setTimeout> | undefined
    const timedOut = new Promise<Conclusion>((resolve) => {
      timer = setTimeout(() => {
        const cause = new Error(`health check "${name}" did not finish within ${timeout} ms`)
        resolve({ cause, result: { status: 'DOWN' } })
        run.controller.abort(cause)
      }, timeout)
    })
    const { cause, result } = await Promise.race([run.conclusion, timedOut])
    clearTimeout(timer)
    return result.status === 'UP' ? { ...result, name } : reportDown(cause, result)
  }
}

/** The result of a completed check. */
interface Conclusion {
  /**
   * The error thrown by the check, the timeout error, or the value in the returned `Left`. `undefined` in all other
   * cases.
   */
  readonly cause: unknown
  readonly result: CheckResult
}

interface Run {
  readonly controller: AbortController
  /** Resolves when the check has completed. The promise is never rejected. */
  readonly conclusion: Promise<Conclusion>
}

const start = (check: Check, onEnd: () => void): Run => {
  const controller = new AbortController()
  return { controller, conclusion: conclude(check, controller.signal).finally(onEnd) }
}

const conclude = async (check: Check, signal: AbortSignal): Promise<Conclusion> => {
  try {
    const returned = await check(signal)
    const settled = typeof returned === 'function' ? await returned() : returned
    if (!isEither(settled)) return { cause: undefined, result: resultOf(settled) }
    return settled._tag === 'Left'
      ? { cause: settled.left, result: { status: 'DOWN' } }
      : { cause: undefined, result: resultOf(settled.right) }
  } catch (cause) {
    return { cause, result: { status: 'DOWN' } }
  }
}

const resultOf = (health: Health): CheckResult =>
  typeof health === 'object' ? health : { status: health === false ? 'DOWN' : 'UP' }

const isEither = (returned: Returned): returned is Either<unknown, Health> =>
  typeof returned === 'object' && '_tag' in returned

/** Health checks by name. */
export interface Checks {
  readonly [name: string]: Check
}

/** Options for {@link health}. */
export interface HealthOptions {
  /**
   * Checks of the process itself. If such a check reports `DOWN`, the orchestrator should restart the process. Checks
   * of dependencies belong in `readiness`.
   */
  readonly liveness?: Checks
  /**
   * Checks that determine whether the process can handle requests. The readiness endpoint reports `DOWN` as soon as the
   * server starts shutting down.
   */
  readonly readiness?: Checks
  /** Checks that determine whether startup is complete. */
  readonly startup?: Checks
  /** Maximum time, in milliseconds, that a check can take. Must be greater than 0 and less than 2^31. Default: 1000. */
  readonly timeout?: number
  /**
   * Called each time a check finds that its component is down. `cause` is the error thrown by the check, the value in
   * the `Left` returned by the check, or a timeout error. If the check returns `false` or a result, `cause` is
   * `undefined`. Responses do not contain the cause. The result of this function is not awaited, and errors are
   * ignored.
   */
  readonly onDown?: (name: string, cause: unknown) => unknown
}

/** A function that runs all checks in a group concurrently. */
type Group = (stopping: AbortSignal) => Promise<ReadonlyArray<CheckReport>>

const probe = (location: string, title: string, ...groups: ReadonlyArray<Group>) =>
  pipe(
    path(location),
    get(),
    summary(title),
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
 * Creates a tree with the operations `GET /health/live`, `GET /health/ready`, `GET /health/started` and `GET /health`.
 * The last operation runs all checks.
 *
 * Each endpoint runs its checks concurrently and responds with the results. The status is 200 if all checks report
 * `UP`, and otherwise 503. Responses have the header `Cache-Control: no-store`. The checks run on the event loop for
 * each request, even while load shedding rejects other requests (see `critical`).
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
export const health = (options: HealthOptions = {}) => {
  const {
    liveness = {},
    readiness = {},
    startup = {},
    timeout = 1000,
    onDown = () => undefined,
  } = checkOptions('health', ['liveness', 'readiness', 'startup', 'timeout', 'onDown'], options)
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
      all: probe('/health', 'Report the results of all health checks', live, ready, started),
      live: probe('/health/live', 'Report whether the process works', live),
      ready: probe('/health/ready', 'Report whether the process can handle requests', ready),
      started: probe('/health/started', 'Report whether startup is complete', started),
    }),
    nonBlocking,
    critical,
  )
}
