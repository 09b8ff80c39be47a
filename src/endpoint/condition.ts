/**
 * Conditions on the profile and the properties of an application. They are plain values that are evaluated once, when
 * the tree is compiled.
 */

/** A condition, built by `profile`, `property`, `not`, `allOf` and `anyOf`. */
export type Condition =
  | { readonly _tag: 'Profile'; readonly names: ReadonlyArray<string> }
  | PropertyCondition
  | { readonly _tag: 'Not'; readonly condition: Condition }
  | { readonly _tag: 'AllOf'; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: 'AnyOf'; readonly conditions: ReadonlyArray<Condition> }

/** A condition on a property. */
export interface PropertyCondition {
  readonly _tag: 'Property'
  readonly name: string
  /** Required value; `undefined` for any value except `false`. */
  readonly value: string | undefined
  /** Result if the property is missing. */
  readonly ifMissing: boolean
}

/** Options of conditions on properties. */
export interface IfMissing {
  /** Result if the property is missing. Default: `false`. */
  readonly ifMissing?: boolean
}

/**
 * Holds if one of these profiles is active.
 *
 * The profile is the option `profile` of `serve` or `inMemory`, otherwise the environment variable `FW_PROFILE`.
 * Default: `prod`.
 */
export const profile = (...names: readonly [string, ...string[]]): Condition =>
  Object.freeze({ _tag: 'Profile', names: Object.freeze(names) })

/**
 * Holds if a property, a setting or an environment variable has exactly this value. Without `value`, it holds for any
 * value except `false`. If the name is missing, the result is `ifMissing`, by default `false`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, property, routes, text, when } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const beta = pipe(
 *   path('/beta'),
 *   get(),
 *   when(property('features.beta', 'on')),
 *   produces(text),
 *   handle(() => 'beta'),
 * )
 * const status = async (properties: Record<string, string>) =>
 *   (await inMemory(routes({ beta }), { properties })('http://localhost/beta')).status
 *
 * assert.equal(await status({ 'features.beta': 'on' }), 200)
 * assert.equal(await status({ 'features.beta': 'off' }), 404)
 * assert.equal(await status({}), 404)
 * ```
 */
export const property = (
  name: string,
  value?: string,
  { ifMissing = false }: IfMissing = {},
): PropertyCondition => Object.freeze({ _tag: 'Property', name, value, ifMissing })

/** Negates a condition. */
export const not = (condition: Condition): Condition => Object.freeze({ _tag: 'Not', condition })

/** Holds if all conditions hold. */
export const allOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.freeze({ _tag: 'AllOf', conditions: Object.freeze(conditions) })

/** Holds if at least one condition holds. */
export const anyOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.freeze({ _tag: 'AnyOf', conditions: Object.freeze(conditions) })

/** A condition of the existence of a value. */
export type Inclusion =
  | { readonly _tag: 'When'; readonly condition: Condition }
  | { readonly _tag: 'DisabledWhen'; readonly condition: PropertyCondition }

/** A value with conditions, all of which must hold. */
export interface Conditional {
  readonly conditions?: ReadonlyArray<Inclusion>
}
