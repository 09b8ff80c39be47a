/** Whether an entity that is sent with another status is still what was declared for the one before. */
import { restrictionsIn } from '../codec/projection.ts'
import { bare } from '../endpoint/hal-wrapper.ts'
import type { ContentPlan } from '../content/content-plan.ts'
import { codecOf } from '../content/provided.ts'

/** The same entity is, and so is another that is one of a codec with restrictions: nothing else would hide what it has. */
export const restates = (
  before: unknown,
  after: unknown,
  alternatives: ReadonlyArray<ContentPlan>,
): boolean => {
  if (after === undefined || alternatives.length === 0) return false
  if (after === before) return true
  return alternatives.some((content) => {
    const codec = codecOf(content)
    return codec !== undefined && restrictionsIn(codec).length > 0 && codec.is(bare(after))
  })
}
