/** What is said of restrictions where values are read and written, and which members are read under it. */
import type { Codec } from '../codec/codec.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import { visibilityOf, fullVisibility } from '../codec/visibility/visibility.ts'
import type { View } from '../codec/visibility/restricted-member.ts'

/** What an operation says of restrictions. */
export interface VisibilityRules {
  /** The view that was chosen; all members are written where there is none. */
  readonly view: View | undefined
  /** Whether restrictions by roles hold. */
  readonly secure: boolean
  /** The roles that those of a restriction stand for, their expressions resolved. */
  readonly rolesOf: (roles: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** Nothing was said, and nothing is resolved: an expression is nobody's role. */
export const defaultVisibility: VisibilityRules = Object.freeze({
  view: undefined,
  secure: true,
  rolesOf: (roles: ReadonlyArray<string>) => roles,
})

/** The effectiveVisibility of what is read: restrictions by roles are about what is written. */
export const inputVisibility = (
  codec: Codec,
  visibility: VisibilityRules = defaultVisibility,
): Visibility =>
  visibility.view === undefined ? fullVisibility : visibilityOf(codec, visibility.view, () => true)
