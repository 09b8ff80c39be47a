/**
 * Runs response filters in order (step 11). The filters run synchronously unless a filter returns a promise or a `Task`.
 *
 * Each filter runs at most once per request. If a filter fails, only the remaining filters run for the error response.
 * An encoder that hides restricted members from unauthorized callers is selected for changed replies.
 */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply, makeReply } from '../../endpoint/reply.ts'
import type { Headers } from '../../http/headers.ts'
import { isAsync, whenSettled } from '../../http/platform-value.ts'
import type { ResponseValue, EncodeResponse } from '../response/encode-response.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { isChunkSource } from '../exchange.ts'
import { withAddedHeaders } from '../response/response-headers.ts'
import { encodeFailure } from '../errors/error-response.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'

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
    const keptHeaders = headersAdded(this.#headersBefore, this.#headersAfter)
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
const headersAdded = (before: Headers, after: Headers): Headers => {
  if (after === before) return none
  const existing = new Set<string>()
  for (let at = 0; at < before.length; at += 2) existing.add(`${before[at]}:${before[at + 1]}`)
  return after.filter((_, index) => {
    const at = index - (index % 2)
    return !existing.has(`${after[at]}:${after[at + 1]}`)
  })
}

const none: ReadonlyArray<never> = []

/** The members of the request state that {@link memoryRejection} reads. */
interface RespondingState {
  readonly exchange: Exchange
  /** Headers added with `context.response.addHeader`. */
  readonly addedHeaders: Headers
}

/**
 * Returns a 503 response to send instead of a response that does not fit into the server's body memory. The problem document is
 * small enough to be sent.
 *
 * The handler has already run, and its side effects are not undone. This is preferable to the process running out of memory.
 */
export const memoryRejection = (
  response: EncodedResponse,
  { exchange, addedHeaders }: RespondingState,
  instance: string,
): EncodedResponse => {
  if (isChunkSource(response.body)) response.body.close()
  const rejection = encodeFailure({ _tag: 'BodyMemoryExhausted' }, exchange, instance)
  return withAddedHeaders(rejection, addedHeaders)
}

/**
 * Returns the encoder for `after`, the reply that response filters have created from `before`. `encode` is the encoder for
 * `before`. The first rule that applies determines the result:
 *
 * - If `encode` is not the encoder of the operation, but a new entity might have hidden members, returns the encoder of the
 *   operation.
 * - If the status of `after` is unchanged or declared, returns `encode`. If the status is declared without a body, the body of a
 *   changed reply is dropped.
 * - If the status is undeclared, but the entity is unchanged or might have hidden members, returns a variant of `encode`. The
 *   variant encodes the entity as declared for the status of `before`.
 * - For any other undeclared status, returns `encodeUndeclared`.
 */
export const filteredEncoder = (
  before: ResponseValue,
  after: ResponseValue,
  encode: EncodeResponse,
  operation: { readonly plan: Plan; readonly encode: EncodeResponse } | undefined,
  encodeUndeclared: EncodeResponse,
): EncodeResponse => {
  const { plan, encode: ownEncoder } = operation ?? {}
  const responses = encode === ownEncoder ? plan?.responses : encode.responses
  if (ownEncoder !== undefined && encode !== ownEncoder && after.entity !== before.entity) {
    const alternatives = plan?.responses.get(after.status)?.alternatives ?? none
    if (mayHideMembers(after.entity, alternatives)) return ownEncoder
  }
  const isUnchanged = before.status === after.status && before.entity === after.entity
  if (!isUnchanged && responses?.get(after.status)?.alternatives.length === 0)
    return (response, context) => encode({ ...response, entity: undefined }, context)
  if (before.status === after.status || (responses ?? plan?.responses)?.has(after.status))
    return encode
  const alternatives = responses?.get(before.status)?.alternatives ?? none
  return isEncodedAsDeclared(before.entity, after.entity, alternatives)
    ? (response, context) => encode({ ...response, declaredStatus: before.status }, context)
    : encodeUndeclared
}

/** Whether to encode an entity as declared for the original status after a filter has changed the status. */
const isEncodedAsDeclared = (
  before: unknown,
  after: unknown,
  alternatives: ReadonlyArray<BodyPlan>,
): boolean =>
  after !== undefined &&
  alternatives.length > 0 &&
  (after === before || mayHideMembers(after, alternatives))

/** Whether an entity is valid for at least one alternative whose codec can hide members. */
const mayHideMembers = (entity: unknown, alternatives: ReadonlyArray<BodyPlan>): boolean =>
  entity !== undefined &&
  alternatives.some((plan) => {
    const codec = codecOfBody(plan)
    return codec !== undefined && restrictionsIn(codec).length > 0 && codec.is(unwrapHal(entity))
  })
