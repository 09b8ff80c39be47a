/** Checks: functions that say whether something is in order, and the time in which they have to. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { CheckReport } from './report.ts'

/** How something is, with what is worth knowing of it. Everybody who may ask for the health reads `data`. */
export interface CheckResult {
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/**
 * Up when it returns, now or later; down when it returns `false`, a `Left` or a result that says so, throws, rejects, or takes
 * too long: then the signal aborts. One that is still running is waited for and not started again.
 */
export type Check = (signal: AbortSignal) => Answer | Promise<Answer> | (() => Promise<Answer>)
type Answer = Health | Either<unknown, Health>
// what a function returns that returns nothing
type Health = void | boolean | CheckResult

/** What is common to all checks. */
export interface CheckOptions {
  /** Milliseconds. */
  readonly timeout: number
  /** Whoever listens changes no answer: what this throws or rejects with is nobody's. */
  readonly onDown: (name: string, cause: unknown) => unknown
}

/** A check that reports in time whatever happens. */
export const reportingCheck = (
  name: string,
  check: Check,
  { timeout, onDown }: CheckOptions,
): (() => Promise<CheckReport>) => {
  let running: Run | undefined
  const down = (cause: unknown, result: CheckResult): CheckReport => {
    void (async () => onDown(name, cause))().catch(() => undefined)
    return { ...result, name, status: 'DOWN' }
  }
  return async () => {
    const run = (running ??= start(check, () => {
      running = undefined
    }))
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Conclusion>((resolve) => {
      timer = setTimeout(() => {
        const cause = new Error(`the check "${name}" takes longer than ${timeout} ms`)
        resolve({ cause, result: { status: 'DOWN' } })
        run.controller.abort(cause)
      }, timeout)
    })
    const { cause, result } = await Promise.race([run.conclusion, late])
    clearTimeout(timer)
    return result.status === 'UP' ? { ...result, name } : down(cause, result)
  }
}

/** What a check came to. */
interface Conclusion {
  /** What it threw, or returned as a `Left`. */
  readonly cause: unknown
  readonly result: CheckResult
}

interface Run {
  readonly controller: AbortController
  /** Never rejects. */
  readonly conclusion: Promise<Conclusion>
}

const start = (check: Check, ended: () => void): Run => {
  const controller = new AbortController()
  return { controller, conclusion: conclude(check, controller.signal).finally(ended) }
}

const conclude = async (check: Check, signal: AbortSignal): Promise<Conclusion> => {
  try {
    const returned = await check(signal)
    const answer = typeof returned === 'function' ? await returned() : returned
    if (!isEither(answer)) return { cause: undefined, result: resultOf(answer) }
    return answer._tag === 'Left'
      ? { cause: answer.left, result: { status: 'DOWN' } }
      : { cause: undefined, result: resultOf(answer.right) }
  } catch (cause) {
    return { cause, result: { status: 'DOWN' } }
  }
}

const resultOf = (health: Health): CheckResult =>
  typeof health === 'object' ? health : { status: health === false ? 'DOWN' : 'UP' }

const isEither = (answer: Answer): answer is Either<unknown, Health> =>
  typeof answer === 'object' && '_tag' in answer
