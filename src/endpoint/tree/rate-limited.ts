/** The step that adds a rate limit, and its effect on the types of endpoints and trees. */
import type { RateLimit } from '../definition/attributes.ts'
import type { QuotaExceeded } from '../problem.ts'
import type { Reply } from '../reply.ts'
import type { Routes } from '../routes.ts'
import type { AttributeTarget } from './tree-scope.ts'
import { setAttributes } from './tree-scope.ts'

/** The reply to requests that exceed a limit. */
export type QuotaExceededReply = Reply<429, QuotaExceeded>

/** A declaration because of which clients of an operation know the response to requests that exceed a limit. */
export interface RateLimited {
  readonly rateLimited: true
}

/** A combinator that limits the requests to an endpoint or a tree. */
export type RateLimitStep = <X extends AttributeTarget>(target: X) => WithRateLimit<X>

/** The type of an endpoint or a tree with a rate limit. */
export type WithRateLimit<X> =
  X extends Routes<infer T, infer R, infer E>
    ? Routes<T, R, E | QuotaExceededReply>
    : X & { readonly _S: RateLimited }

/** Creates a step that adds a limit. Each application of the step adds a limit of its own. */
export const addRateLimit =
  (limit: RateLimit): RateLimitStep =>
  <X extends AttributeTarget>(target: X): WithRateLimit<X> =>
    // the types differ only in members that exist at compile time
    setAttributes({ rateLimits: [Object.freeze({ ...limit })] })(
      target,
    ) as unknown as WithRateLimit<X>
