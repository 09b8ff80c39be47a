/**
 * Conditions: what `when` asks of the profile and of the properties that an application is started with. They are values,
 * and are looked at once, when the tree is compiled.
 */

export type Condition =
  | { readonly _tag: 'Profile'; readonly names: ReadonlyArray<string> }
  | PropertyCondition
  | { readonly _tag: 'Not'; readonly condition: Condition }
  | { readonly _tag: 'AllOf'; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: 'AnyOf'; readonly conditions: ReadonlyArray<Condition> }

export interface PropertyCondition {
  readonly _tag: 'Property'
  readonly name: string
  /** The text that it has to have; `undefined` for any but `false`. */
  readonly value: string | undefined
  /** Whether the condition holds when nothing has the name. */
  readonly ifMissing: boolean
}

export interface IfMissing {
  /** What counts when nothing has the name; `false` unless it is said. */
  readonly ifMissing?: boolean
}

/**
 * Holds in each of these profiles. Which one is active is said by `profile` where the tree is served, or by the environment
 * variable `FW_PROFILE`; otherwise it is `prod`.
 */
export const profile = (...names: readonly [string, ...string[]]): Condition =>
  Object.freeze({ _tag: 'Profile', names: Object.freeze(names) })

/**
 * Holds when a property of the application, a setting or an environment variable has exactly this text. Without a value: when
 * it has any text but `false`. It does not hold for a name that nothing has, unless `ifMissing` says so.
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

/** Holds when another condition does not. */
export const not = (condition: Condition): Condition => Object.freeze({ _tag: 'Not', condition })

/** Holds when all of the conditions do. */
export const allOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.freeze({ _tag: 'AllOf', conditions: Object.freeze(conditions) })

/** Holds when one of the conditions does. */
export const anyOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.freeze({ _tag: 'AnyOf', conditions: Object.freeze(conditions) })

/** What was said about when something is there. */
export type Inclusion =
  | { readonly _tag: 'When'; readonly condition: Condition }
  | { readonly _tag: 'DisabledWhen'; readonly condition: PropertyCondition }

/** What can be left out: it is there when all of what was said about it allows it. */
export interface Conditional {
  readonly conditions?: ReadonlyArray<Inclusion>
}
