/** The visibility rules of an operation: its view and its role restrictions. */
import type { Codec } from '../codec/codec.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import { visibilityOf, fullVisibility } from '../codec/visibility/visibility.ts'
import type { View } from '../codec/visibility/restricted-member.ts'

/** Visibility rules that apply to an operation. */
export interface VisibilityRules {
  /** The selected view. Without one, all members are written. */
  readonly view: View | undefined
  /** Whether role restrictions apply. */
  readonly secure: boolean
  /** Resolves the expressions in the roles of a restriction. */
  readonly rolesOf: (roles: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** No view, with role restrictions. Expressions are not resolved. */
export const defaultVisibility: VisibilityRules = Object.freeze({
  view: undefined,
  secure: true,
  rolesOf: (roles: ReadonlyArray<string>) => roles,
})

/** Returns the members that may be received. Role restrictions apply to sent values only. */
export const inputVisibility = (
  codec: Codec,
  visibility: VisibilityRules = defaultVisibility,
): Visibility =>
  visibility.view === undefined ? fullVisibility : visibilityOf(codec, visibility.view, () => true)
