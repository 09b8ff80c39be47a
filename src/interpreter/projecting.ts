/** What an operation says of restrictions: `interpreter/projected.ts` makes of it what is written. */
import type { View } from '../codec/restricted.ts'

export interface Projecting {
  /** The view that was chosen; all members are written where there is none. */
  readonly view: View | undefined
  /** Whether restrictions by roles hold. */
  readonly secure: boolean
  /** The roles that those of a restriction stand for, their expressions resolved. */
  readonly rolesOf: (roles: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** Nothing was said, and nothing is resolved: an expression is nobody's role. */
export const unsaid: Projecting = Object.freeze({
  view: undefined,
  secure: true,
  rolesOf: (roles: ReadonlyArray<string>) => roles,
})
