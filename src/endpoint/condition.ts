/**
 * Conditions on the active profile and on application properties. Conditions are plain values that are evaluated
 * once, when the tree is compiled.
 */

/** A condition created by `profile`, `property`, `not`, `allOf` or `anyOf`. */
export type Condition =
  | { readonly _tag: 'Profile'; readonly names: ReadonlyArray<string> }
  | PropertyCondition
  | { readonly _tag: 'Not'; readonly condition: Condition }
  | { readonly _tag: 'AllOf'; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: 'AnyOf'; readonly conditions: ReadonlyArray<Condition> }

/** A condition that depends on the value of a property. */
export interface PropertyCondition {
  readonly _tag: 'Property'
  readonly name: string
  /** Value that the property must have. If `undefined`, any value except `false` satisfies the condition. */
  readonly value: string | undefined
  /** Whether the condition holds if the property is missing. */
  readonly ifMissing: boolean
}

/** Options for {@link property} and `disabledWhen`. */
export interface IfMissing {
  /** Whether the condition holds if the property is missing. Default: `false`. */
  readonly ifMissing?: boolean
}

/**
 * Creates a condition that holds if any of the given profiles is active.
 *
 * The active profile is set with the `profile` option of `serve` or `inMemory`, or otherwise with the environment
 * variable `FW_PROFILE`. Default: `prod`.
 */
export const profile = (...names: readonly [string, ...string[]]): Condition =>
  Object.freeze({ _tag: 'Profile', names: Object.freeze(names) })

/**
 * Creates a condition that holds if a property, a setting or an environment variable has exactly the given value. If
 * `value` is omitted, the condition holds for any value except `false`. If the property is missing, the condition
 * holds only if `ifMissing` is `true`.
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

/** Creates a condition that holds if the given condition does not hold. */
export const not = (condition: Condition): Condition => Object.freeze({ _tag: 'Not', condition })

/** Creates a condition that holds if all of the given conditions hold. */
export const allOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.freeze({ _tag: 'AllOf', conditions: Object.freeze(conditions) })

/** Creates a condition that holds if at least one of the given conditions holds. */
export const anyOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.freeze({ _tag: 'AnyOf', conditions: Object.freeze(conditions) })

/** A condition added by `when` or `disabledWhen`. */
export type AppliedCondition =
  | { readonly _tag: 'When'; readonly condition: Condition }
  | { readonly _tag: 'DisabledWhen'; readonly condition: PropertyCondition }

/** A value that is part of the application only if all of its conditions hold. */
export interface Conditional {
  readonly conditions?: ReadonlyArray<AppliedCondition>
}
