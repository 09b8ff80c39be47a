/** Health checks: functions that report whether a component works, within a time limit. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { CheckReport } from './report.ts'

/** The status of a component. `data` is part of the response of the health endpoint. */
export interface CheckResult {
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/**
 * A health check. It may return its result, a promise or a `Task`.
 *
 * The component is down if the check returns `false`, a `Left` or a result with the status `DOWN`; if it throws or rejects; or if
 * it exceeds the timeout, when `signal` aborts. Otherwise it is up. A check that is still running is not started again.
 */
export type Check = (
  signal: AbortSignal,
) => Returned | Promise<Returned> | (() => Promise<Returned>)
type Returned = Health | Either<unknown, Health>
// `void` for functions that return nothing
type Health = void | boolean | CheckResult

/** Options of all checks. */
export interface CheckOptions {
  /** Milliseconds. */
  readonly timeout: number
  /** Called when a check is down. Errors that it throws or rejects with are ignored. */
  readonly onDown: (name: string, cause: unknown) => unknown
}

/** Returns a function that runs a check and returns its report within the timeout. It never rejects. */
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
        const cause = new Error(`check "${name}" exceeded ${timeout} ms`)
        resolve({ cause, result: { status: 'DOWN' } })
        run.controller.abort(cause)
      }, timeout)
    })
    const { cause, result } = await Promise.race([run.conclusion, timedOut])
    clearTimeout(timer)
    return result.status === 'UP' ? { ...result, name } : reportDown(cause, result)
  }
}

/** The result of a check that has ended. */
interface Conclusion {
  /** The error that it threw, or the value of its `Left`. */
  readonly cause: unknown
  readonly result: CheckResult
}

interface Run {
  readonly controller: AbortController
  /** Never rejects. */
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
