/** Whether an entity that is sent with another status is still what was declared for the one before. */
import { mayHide } from '../codec/projection.ts'
import { bare } from '../endpoint/hal-wrapper.ts'
import type { ContentPlan } from '../content/content-plan.ts'
import { codecOf } from '../content/provided.ts'

/** The same entity is, and so is another that is one of a codec that may hide something: nothing else would hide what it has. */
export const restates = (
  before: unknown,
  after: unknown,
  alternatives: ReadonlyArray<ContentPlan>,
): boolean =>
  after !== undefined &&
  alternatives.length > 0 &&
  (after === before || isRestricted(after, alternatives))

/** Whether an entity is one of a codec that may hide something of it. */
export const isRestricted = (entity: unknown, alternatives: ReadonlyArray<ContentPlan>): boolean =>
  entity !== undefined &&
  alternatives.some((content) => {
    const codec = codecOf(content)
    return codec !== undefined && mayHide(codec) && codec.is(bare(entity))
  })
