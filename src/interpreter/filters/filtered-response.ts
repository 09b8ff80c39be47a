/**
 * Completes responses after response filters have run.
 *
 * For changed replies, selects an encoder that hides restricted members from unauthorized callers. Also enforces the limit on the
 * server's body memory.
 */
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { mergeHeaders } from '../response/response-headers.ts'
import { isChunkSource } from '../chunks.ts'
import { encodeFailure } from '../errors/error-response.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { ResponseValue, EncodeResponse } from '../response/encode-response.ts'

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
  const { status, headers, body } = rejection
  return addedHeaders.length === 0
    ? rejection
    : { status, headers: [...headers, ...mergeHeaders(addedHeaders, headers)], body }
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

const none: ReadonlyArray<never> = []

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
