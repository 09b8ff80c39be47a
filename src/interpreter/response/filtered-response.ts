/** Selects the encoder of replies that response filters have changed, so that members stay hidden from unauthorized callers. */
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { codecOfBody } from '../../body/entity/select-body-plan.ts'
import type { CompiledOperation } from '../program.ts'
import type { ResponseValue, EncodeResponse } from './encode-response.ts'

/**
 * Returns the encoder for `after`, the reply that response filters made of `before`. `encode` was the encoder of `before`.
 *
 * - A declared status: `encode`.
 * - An undeclared status with the same entity, or with one that may have hidden members: as declared for the status of `before`.
 * - Any other undeclared status: `encodeUndeclared`.
 * - An entity with hidden members in place of an error document: the encoder of the operation.
 */
export const filteredEncoder = (
  before: ResponseValue,
  after: ResponseValue,
  encode: EncodeResponse,
  operation: CompiledOperation | undefined,
  encodeUndeclared: EncodeResponse,
): EncodeResponse => {
  const { plan, encode: ownEncoder } = operation ?? {}
  const responses = encode === ownEncoder ? plan?.responses : encode.responses
  if (ownEncoder !== undefined && encode !== ownEncoder && after.entity !== before.entity) {
    const alternatives = plan?.responses.get(after.status)?.alternatives ?? none
    if (mayHideMembers(after.entity, alternatives)) return ownEncoder
  }
  if (before.status === after.status || (responses ?? plan?.responses)?.has(after.status))
    return encode
  const alternatives = responses?.get(before.status)?.alternatives ?? none
  return isEncodedAsDeclared(before.entity, after.entity, alternatives)
    ? (response, context) => encode({ ...response, declaredStatus: before.status }, context)
    : encodeUndeclared
}

const none: ReadonlyArray<never> = []

/** Whether an entity with another status is still encoded as declared for the original status. */
const isEncodedAsDeclared = (
  before: unknown,
  after: unknown,
  alternatives: ReadonlyArray<BodyPlan>,
): boolean =>
  after !== undefined &&
  alternatives.length > 0 &&
  (after === before || mayHideMembers(after, alternatives))

/** Whether an entity is a value of a codec that may hide members. */
const mayHideMembers = (entity: unknown, alternatives: ReadonlyArray<BodyPlan>): boolean =>
  entity !== undefined &&
  alternatives.some((plan) => {
    const codec = codecOfBody(plan)
    return codec !== undefined && restrictionsIn(codec).length > 0 && codec.is(unwrapHal(entity))
  })
