/** Parses and resolves property expressions such as `${name:default}`. Properties can refer to other properties. */
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from './settings.ts'
import { isSettingName, settingsTable } from './settings.ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'

/** The profile and properties of an application. */
export interface Configuration {
  /** The name of the active profile: `dev`, `test`, `prod` or a custom name. */
  readonly profile: string
  /** Whether the profile is predefined, or a configuration file contains a property for it. Default: `true`. */
  readonly isProfileDefined?: boolean
  /**
   * Returns the value of a property, setting or environment variable, with expressions resolved. Returns `undefined` if `name`
   * is not set.
   */
  readonly property: (name: string) => string | undefined
}

/** Creates a configuration with the `prod` profile and the settings as its only properties. */
export const defaultConfiguration = (settings: Settings): Configuration => ({
  profile: 'prod',
  property: (name) =>
    isSettingName(name) ? O.toUndefined(settingsTable[name].text(settings[name])) : undefined,
})

/** A parsed value, which is a sequence of literal text and property references. */
export type ExpressionTemplate = ReadonlyArray<string | PropertyReference>

/** A reference to a property. The property name can itself contain references. */
export interface PropertyReference {
  readonly name: ExpressionTemplate
  /** The default value, which is used if the property is missing. */
  readonly fallback: O.Option<ExpressionTemplate>
}

/**
 * Parses a value. Returns `none` if an expression has no closing brace.
 *
 * `$${` is an escaped `${`. All other braces are literal text. Within an expression, they must be balanced.
 *
 * ```text
 * value      = *( expression / char )
 * expression = "${" name [ ":" value ] "}"
 * name       = *( expression / any char but ":" and braces )
 * ```
 */
export const parseExpression = (text: string): O.Option<ExpressionTemplate> => {
  const tokens = text.match(/\$?\$\{|[{}:$]|[^{}:$]+/g) ?? []
  let at = 0
  let isBalanced = true
  /** Reads parts up to one of the tokens `ends`. Without `ends`, reads the whole text, in which other braces need not be balanced. */
  const read = (...ends: ReadonlyArray<string>): ExpressionTemplate => {
    const parts: Array<string | PropertyReference> = []
    for (; at < tokens.length; at++) {
      const token = tokens[at] ?? ''
      if (ends.includes(token)) return parts
      if (token === '${') parts.push(reference())
      else parts.push(token.replace('$${', '${'))
      if (ends.length > 0 && (token === '{' || token === '$${')) {
        at++
        parts.push(...read('}'), '}')
      }
    }
    isBalanced &&= ends.length === 0
    return parts
  }
  const reference = (): PropertyReference => {
    at++
    const name = read(':', '}')
    if (tokens[at] !== ':') return { name, fallback: O.none }
    at++
    return { name, fallback: O.some(read('}')) }
  }
  const parts = read()
  return isBalanced ? O.some(parts) : O.none
}

/** The configured value of a property. */
export interface ConfiguredValue {
  readonly text: string
  /**
   * Whether `${` is literal text instead of the start of an expression. This is the case, for example, in environment variables
   * whose names are not reserved for settings.
   */
  readonly literal: boolean
}

/** Returns the configured value of a property, or `none` if the property is missing. */
export type LookupProperty = (name: string) => O.Option<ConfiguredValue>

/** The reason why a value cannot be resolved. `properties` contains the names of the properties that cause the error. */
export type ExpressionError =
  /** An expression has no closing brace. */
  | { readonly _tag: 'Unbalanced'; readonly properties: readonly [string] }
  /** A referenced property is missing, and the expression has no default. */
  | { readonly _tag: 'Missing'; readonly properties: readonly [string]; readonly name: string }
  /**
   * A cycle. Each property refers to the next one, and the last property refers to the first. `properties` starts with the name
   * that comes first alphabetically.
   */
  | { readonly _tag: 'Cycle'; readonly properties: ReadonlyArray<string> }

/** A resolved value, or all errors that prevent the value from being resolved. */
export type ResolvedText = E.Either<ReadonlyArray<ExpressionError>, string>

/**
 * Creates the error for a cycle. `properties` starts with the name that comes first alphabetically. The error therefore does not
 * depend on which property was resolved first.
 */
const cycle = (properties: ReadonlyArray<string>): ExpressionError => {
  const first = properties.indexOf(properties.toSorted()[0] ?? '')
  return {
    _tag: 'Cycle',
    properties: [...properties.slice(first), ...properties.slice(0, first)],
  }
}

/**
 * Resolves the expressions in the value of `property`. A default is resolved only if it is needed. Errors contain the name of
 * the property that causes them, which can be a property to which `property` refers.
 */
export const resolve =
  (lookup: LookupProperty) =>
  (property: string) =>
  (value: ConfiguredValue): ResolvedText =>
    resolveValue(lookup, [], property, value)

/** `path` contains the properties whose values are being resolved. Each property is referenced by the next one. */
const resolveValue = (
  lookup: LookupProperty,
  path: ReadonlyArray<string>,
  property: string,
  { text, literal }: ConfiguredValue,
): ResolvedText => {
  // fast path for values without expressions
  if (literal || !text.includes('$')) return E.right(text)
  const before = path.indexOf(property)
  if (before >= 0) return E.left([cycle(path.slice(0, before + 1).toReversed())])
  const expand = (parts: ExpressionTemplate): ResolvedText => {
    const texts = parts.map((part) => (typeof part === 'string' ? E.right(part) : follow(part)))
    const errors = texts.flatMap((part) => (E.isLeft(part) ? part.left : []))
    return errors.length > 0
      ? E.left(errors)
      : E.right(texts.map((part) => (E.isRight(part) ? part.right : '')).join(''))
  }
  const follow = ({ name: parts, fallback }: PropertyReference): ResolvedText => {
    const name = expand(parts)
    if (E.isLeft(name)) return name
    const found = lookup(name.right)
    if (O.isSome(found)) return resolveValue(lookup, [property, ...path], name.right, found.value)
    return O.isSome(fallback)
      ? expand(fallback.value)
      : E.left([{ _tag: 'Missing', properties: [property], name: name.right }])
  }
  const parsed = parseExpression(text)
  return O.isSome(parsed)
    ? expand(parsed.value)
    : E.left([{ _tag: 'Unbalanced', properties: [property] }])
}

/**
 * Resolves the expressions in a string that is not the value of a property, such as a declared role. The values returned by
 * `property` must already be resolved. A `Left` describes how to fix each error.
 */
export const resolveExpression = (
  text: string,
  property: (name: string) => string | undefined,
): E.Either<ReadonlyArray<string>, string> => {
  const lookup: LookupProperty = (name) =>
    pipe(
      O.fromNullable(property(name)),
      O.map((value) => ({ text: value, literal: true })),
    )
  return pipe(
    resolve(lookup)(text)({ text, literal: false }),
    E.mapLeft((errors) => errors.map(expressionRemedy)),
  )
}

/** Returns a phrase that describes how to fix an error. */
export const expressionRemedy = (error: ExpressionError): string => {
  switch (error._tag) {
    case 'Unbalanced':
      return 'close every ${ with a }, or escape a literal ${ as $${'
    case 'Missing':
      return `define ${error.name}, or add a default: \${${error.name}:…}`
    case 'Cycle':
      return `break the cycle ${[...error.properties, ...error.properties.slice(0, 1)].join(' → ')}`
  }
}
