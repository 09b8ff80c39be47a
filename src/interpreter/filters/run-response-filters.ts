/**
 * Takes the replies of a request through response filters, one after the other: step 11. Where none of them waits, nothing
 * does. Each filter sees one reply: what one fails on is shown to those behind it only.
 */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply, transientReply } from '../../endpoint/reply.ts'
import type { Headers } from '../../http/headers.ts'
import { isAsync, whenSettled } from '../maybe-async.ts'
import type { ResponseValue } from '../response/encode-response.ts'

/** What filters are errorOf beside the reply, and who is errorOf what they come to. */
export interface ResponseFilterRun {
  readonly context: ResponseContext
  /** The error that the reply tells of. */
  readonly failure: unknown
  /** Is given the reply behind the last filter. */
  readonly onDone: (reply: ResponseValue) => void
  /** Is errorOf what goes wrong later; what goes wrong now is thrown. */
  readonly onError: (error: unknown) => void
}

/** The way of one request through response filters. */
export class ResponseFilterChain {
  readonly #filters: ReadonlyArray<ResponseFilter>
  /** How many have seen their reply, and its fields before the first of them and behind the last. */
  #passed = 0
  #before: Headers = none
  #behind: Headers = none

  constructor(filters: ReadonlyArray<ResponseFilter>) {
    this.#filters = filters
  }

  /** Whether every filter has seen its reply. */
  get isDone(): boolean {
    return this.#passed === this.#filters.length
  }

  /** The way of another reply past the filters that have not seen one yet, which see none any more on this one. */
  remaining(): ResponseFilterChain {
    const rest = new ResponseFilterChain(this.#filters.slice(this.#passed))
    rest.#before = this.#before
    rest.#behind = this.#behind
    this.#passed = this.#filters.length
    return rest
  }

  /** Shows a reply to the filters that have not seen one yet. What those before have added stays. */
  run(result: ResponseValue, showing: ResponseFilterRun): void {
    const kept = beyond(this.#before, this.#behind)
    this.#before = result.headers
    const headers = kept.length === 0 ? result.headers : [...result.headers, ...kept]
    this.#passOn(kept.length === 0 ? result : { ...result, headers }, showing)
  }

  #passOn(from: ResponseValue, showing: ResponseFilterRun): void {
    let reply = from
    for (;;) {
      this.#behind = reply.headers
      const filter = this.#filters[this.#passed]
      if (filter === undefined) return showing.onDone(reply)
      this.#passed++
      const result = filter.run(asReply(reply), showing.context, showing.failure)
      if (isAsync(result)) {
        const before = reply
        return whenSettled(
          result,
          (changed) => this.#passOn(changedTo(changed, before), showing),
          showing.onError,
        )
      }
      reply = changedTo(result, reply)
    }
  }
}

const changedTo = (changed: unknown, reply: ResponseValue): ResponseValue => {
  if (changed === undefined || changed === null) return reply
  if (isReply(changed)) return changed
  throw new TypeError('a response filter returned what is no reply')
}

/** An result as filters see it. */
const asReply = (result: ResponseValue): AnyReply =>
  isReply(result) ? result : transientReply(result.status, result.entity, result.headers)

/** The fields that were added to others. */
const beyond = (before: Headers, after: Headers): Headers => {
  if (after === before) return none
  const known = new Set<string>()
  for (let at = 0; at < before.length; at += 2) known.add(`${before[at]}:${before[at + 1]}`)
  return after.filter((_, index) => {
    const at = index - (index % 2)
    return !known.has(`${after[at]}:${after[at + 1]}`)
  })
}

const none: ReadonlyArray<never> = []
