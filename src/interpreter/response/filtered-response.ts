/** How replies are written that response filters have changed, so that nothing shows which would have been hidden. */
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { codecOfBody } from '../../body/entity/select-body-plan.ts'
import type { CompiledOperation } from '../program.ts'
import type { ResponseValue, EncodeResponse } from './encode-response.ts'

/**
 * How to write a reply that had been `before`, to be written by `respond`. With a status that was not declared, its entity is
 * written as it would have been, for what is hidden of it stays so, and another one as `undeclared` says. An entity that was put
 * in the place of what tells of an error is written by the operation, where nothing else would hide what it has.
 */
export const filteredEncoder = (
  before: ResponseValue,
  after: ResponseValue,
  respond: EncodeResponse,
  operation: CompiledOperation | undefined,
  undeclared: EncodeResponse,
): EncodeResponse => {
  const { plan, encode: own } = operation ?? {}
  const responses = respond === own ? plan?.responses : respond.responses
  if (own !== undefined && respond !== own && after.entity !== before.entity) {
    const alternatives = plan?.responses.get(after.status)?.alternatives ?? none
    if (isRestricted(after.entity, alternatives)) return own
  }
  if (before.status === after.status || (responses ?? plan?.responses)?.has(after.status))
    return respond
  const alternatives = responses?.get(before.status)?.alternatives ?? none
  return restates(before.entity, after.entity, alternatives)
    ? (outcome, asking) => respond({ ...outcome, as: before.status }, asking)
    : undeclared
}

const none: ReadonlyArray<never> = []

/**
 * Whether an entity that is sent with another status is still what was declared for the one before. The same entity is, and so is
 * another that is one of a codec that may hide something: nothing else would hide what it has.
 */
const restates = (
  before: unknown,
  after: unknown,
  alternatives: ReadonlyArray<BodyPlan>,
): boolean =>
  after !== undefined &&
  alternatives.length > 0 &&
  (after === before || isRestricted(after, alternatives))

/** Whether an entity is one of a codec that may hide something of it. */
const isRestricted = (entity: unknown, alternatives: ReadonlyArray<BodyPlan>): boolean =>
  entity !== undefined &&
  alternatives.some((content) => {
    const codec = codecOfBody(content)
    return codec !== undefined && restrictionsIn(codec).length > 0 && codec.is(unwrapHal(entity))
  })
