/** Where handlers run: on the event loop, unless they are said to block it. */
import type { AnyFilter } from './filter.ts'
import type { Mark, Markable } from './mark.ts'
import { mark } from './mark.ts'
import { placed } from './placing.ts'

/** Runs the handlers of an operation, resource or tree on a worker: for work that would hold the event loop for long. */
export const blocking: Mark = mark({ execution: 'blocking' })

/**
 * Runs handlers on the event loop, where something around them says `blocking`. Said of a filter: it runs before all filters
 * of which this was not said, and on the event loop although the operation runs on a worker.
 */
export const nonBlocking = <X extends Markable | AnyFilter>(marked: X): X =>
  isMarkable(marked)
    ? mark({ execution: 'nonBlocking' })(marked)
    : isFilter(marked)
      ? placed(() => ({ nonBlocking: true }))(marked)
      : marked

/** Counts as `blocking`, unless `blocking` or `nonBlocking` is said on the operation or around it. */
export const transactional: Mark = mark({ transactional: true })

const isMarkable = <X extends Markable | AnyFilter>(marked: X): marked is X & Markable =>
  marked._tag === 'Endpoint' || marked._tag === 'Routes'

const isFilter = <X extends Markable | AnyFilter>(marked: X): marked is X & AnyFilter =>
  !isMarkable(marked)
