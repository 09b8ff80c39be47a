/**
 * Runs response filters in order: step 11. Synchronous unless a filter returns a promise or a `Task`.
 *
 * Each filter runs once per request. If one of them fails, the error response passes only the filters after it.
 */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply, transientReply } from '../../endpoint/reply.ts'
import type { Headers } from '../../http/headers.ts'
import { isAsync, whenSettled } from '../maybe-async.ts'
import type { ResponseValue } from '../response/encode-response.ts'

/** The arguments of response filters, and the callbacks for their result. */
export interface ResponseFilterRun {
  readonly context: ResponseContext
  /** The error that the response reports, if any. */
  readonly failure: unknown
  /** Called with the response after the last filter. */
  readonly onDone: (reply: ResponseValue) => void
  /** Called with asynchronous errors. Synchronous ones are thrown. */
  readonly onError: (error: unknown) => void
}

/** The response filters of one request. */
export class ResponseFilterChain {
  readonly #filters: ReadonlyArray<ResponseFilter>
  /** The number of filters that have run, and the headers before the first and after the last of them. */
  #index = 0
  #headersBefore: Headers = none
  #headersAfter: Headers = none

  constructor(filters: ReadonlyArray<ResponseFilter>) {
    this.#filters = filters
  }

  /** Whether all filters have run. */
  get isDone(): boolean {
    return this.#index === this.#filters.length
  }

  /** Returns a chain of the filters that have not run yet. They do not run in this chain any more. */
  remaining(): ResponseFilterChain {
    const rest = new ResponseFilterChain(this.#filters.slice(this.#index))
    rest.#headersBefore = this.#headersBefore
    rest.#headersAfter = this.#headersAfter
    this.#index = this.#filters.length
    return rest
  }

  /** Runs the remaining filters on a response. Headers that earlier filters have added are kept. */
  run(result: ResponseValue, run: ResponseFilterRun): void {
    const kept = addedHeaders(this.#headersBefore, this.#headersAfter)
    this.#headersBefore = result.headers
    const headers = kept.length === 0 ? result.headers : [...result.headers, ...kept]
    this.#runRemaining(kept.length === 0 ? result : { ...result, headers }, run)
  }

  #runRemaining(from: ResponseValue, run: ResponseFilterRun): void {
    let reply = from
    for (;;) {
      this.#headersAfter = reply.headers
      const filter = this.#filters[this.#index]
      if (filter === undefined) return run.onDone(reply)
      this.#index++
      const result = filter.run(asReply(reply), run.context, run.failure)
      if (isAsync(result)) {
        const before = reply
        return whenSettled(
          result,
          (changed) => this.#runRemaining(filteredReply(changed, before), run),
          run.onError,
        )
      }
      reply = filteredReply(result, reply)
    }
  }
}

const filteredReply = (changed: unknown, reply: ResponseValue): ResponseValue => {
  if (changed === undefined || changed === null) return reply
  if (isReply(changed)) return changed
  throw new TypeError('a response filter must return a reply or nothing')
}

/** Returns a response value as a reply, which filters receive. */
const asReply = (result: ResponseValue): AnyReply =>
  isReply(result) ? result : transientReply(result.status, result.entity, result.headers)

/** Returns the headers of `after` that are not in `before`. */
const addedHeaders = (before: Headers, after: Headers): Headers => {
  if (after === before) return none
  const known = new Set<string>()
  for (let at = 0; at < before.length; at += 2) known.add(`${before[at]}:${before[at + 1]}`)
  return after.filter((_, index) => {
    const at = index - (index % 2)
    return !known.has(`${after[at]}:${after[at + 1]}`)
  })
}

const none: ReadonlyArray<never> = []
