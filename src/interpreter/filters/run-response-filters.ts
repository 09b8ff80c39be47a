/**
 * Runs response filters in order (step 11). The filters run synchronously unless a filter returns a promise or a `Task`.
 *
 * Each filter runs at most once per request. If a filter fails, only the remaining filters run for the error response.
 */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply, makeReply } from '../../endpoint/reply.ts'
import type { Headers } from '../../http/headers.ts'
import { isAsync, whenSettled } from '../../body/maybe-async.ts'
import type { ResponseValue } from '../response/encode-response.ts'

/** The context in which response filters run, and the callbacks for their result. */
export interface ResponseFilterRun {
  readonly context: ResponseContext
  /** The error that led to the response, or `undefined` if no error occurred. */
  readonly failure: unknown
  /** Called with the response after the last filter has run. */
  readonly onDone: (reply: ResponseValue) => void
  /** Called with asynchronous errors. Synchronous errors are thrown. */
  readonly onError: (error: unknown) => void
}

/** Runs the response filters of one request and tracks which of them have run. */
export class ResponseFilterChain {
  readonly #filters: ReadonlyArray<ResponseFilter>
  /** The number of filters that have run. */
  #index = 0
  /** The response headers at the start of the last call to {@link run}. */
  #headersBefore: Headers = none
  /** The response headers after the last filter that has run. */
  #headersAfter: Headers = none

  constructor(filters: ReadonlyArray<ResponseFilter>) {
    this.#filters = filters
  }

  /** Whether all filters have run. */
  get isDone(): boolean {
    return this.#index === this.#filters.length
  }

  /** Moves the filters that have not run yet to a new chain, and returns the new chain. */
  remaining(): ResponseFilterChain {
    const rest = new ResponseFilterChain(this.#filters.slice(this.#index))
    rest.#headersBefore = this.#headersBefore
    rest.#headersAfter = this.#headersAfter
    this.#index = this.#filters.length
    return rest
  }

  /** Runs the remaining filters on a response. Headers added by earlier filters are kept. */
  run(result: ResponseValue, run: ResponseFilterRun): void {
    const keptHeaders = addedHeaders(this.#headersBefore, this.#headersAfter)
    this.#headersBefore = result.headers
    const headers = keptHeaders.length === 0 ? result.headers : [...result.headers, ...keptHeaders]
    this.#runRemaining(keptHeaders.length === 0 ? result : { ...result, headers }, run)
  }

  #runRemaining(initial: ResponseValue, run: ResponseFilterRun): void {
    let reply = initial
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

/** Converts a response value to the reply that is passed to filters. */
const asReply = (result: ResponseValue): AnyReply =>
  isReply(result) ? result : makeReply(result.status, result.entity, result.headers)

/** Returns the headers in `after` that are not in `before`. */
const addedHeaders = (before: Headers, after: Headers): Headers => {
  if (after === before) return none
  const existing = new Set<string>()
  for (let at = 0; at < before.length; at += 2) existing.add(`${before[at]}:${before[at + 1]}`)
  return after.filter((_, index) => {
    const at = index - (index % 2)
    return !existing.has(`${after[at]}:${after[at + 1]}`)
  })
}

const none: ReadonlyArray<never> = []
