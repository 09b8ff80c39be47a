/**
 * Detects incorrect uses of combinators. In TypeScript, they are type errors. In JavaScript, they would otherwise cause
 * errors far away from the incorrect line.
 */
import type { RejectedOptions } from '../../codec/codec.ts'
import type { Definition } from '../endpoint.ts'
import { updateDefinition, withIssue } from '../endpoint.ts'
import { ConfigurationError } from '../definition/configuration-error.ts'
import { isStandardSchema } from '../../codec/standard-schema/standard-schema.ts'
import { isCodec } from '../../codec/codec-structure.ts'
import { describeValue } from '../definition/describe-value.ts'
import { isObject } from '../../http/platform-value.ts'

/** A value that combinators are applied to. */
type Target =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | { readonly _tag: 'Routes' }

type TargetTag = Target['_tag']

/**
 * Adds a check to a function that creates combinators: the arguments must not start with an endpoint or a tree, because
 * this means that `pipe` called the function itself, as in `pipe(path('/a'), get)`.
 *
 * Returns such an endpoint with an issue (`FW-ROUTE-007`), which is reported when the tree is compiled. A tree cannot have
 * issues. Therefore, a `ConfigurationError` is thrown.
 */
// `F` has no constraint, because a contextual signature would prevent the inference of generic functions
// bundlers may omit unused calls
/* @__NO_SIDE_EFFECTS__ */
export const combinatorFactory = <F>(name: string, make: F): F => {
  const create = make as AnyFunction
  const checked: AnyFunction = (...args) =>
    isNode(args[0]) ? notCalled(name, args[0]) : create(...args)
  return checked as F
}

type AnyFunction = (...args: ReadonlyArray<unknown>) => unknown

/**
 * Like {@link combinatorFactory}. In addition, the created combinators throw a `ConfigurationError` for a value that does not
 * have the tag `target`.
 */
/* @__NO_SIDE_EFFECTS__ */
export const combinator = <F>(name: string, target: TargetTag, make: F): F => {
  const create = make as (...args: ReadonlyArray<unknown>) => AnyFunction
  return combinatorFactory(name, ((...args: ReadonlyArray<unknown>) => {
    const combine = create(...args)
    return (value: unknown) => {
      if (!isNode(value) || value._tag !== target) throw wrongTarget([name], [target], value)
      return combine(value)
    }
  }) as F)
}

/**
 * Throws a `ConfigurationError` unless `value` has one of the tags. Used by combinators without parameters, such as `critical`.
 * Calling them, as in `critical()`, passes `undefined`.
 */
export const checkTarget = (tags: ReadonlyArray<TargetTag>, value: unknown): void => {
  if (!isNode(value) || !tags.includes(value._tag)) throw wrongTarget([], tags, value)
}

const notCalled = (name: string, target: Target): Target => {
  const remedy = `${name} is not called: write ${name}(…)`
  if (target._tag === 'Routes') throw invalidUse([name], remedy)
  return updateDefinition(target, (definition) => withIssue(definition, 'FW-ROUTE-007', remedy))
}

const wrongTarget = (
  names: ReadonlyArray<string>,
  tags: ReadonlyArray<TargetTag>,
  value: unknown,
): ConfigurationError => {
  const expected = tags.map((tag) => (tag === 'Endpoint' ? 'an endpoint' : 'a route tree'))
  return invalidUse(
    names,
    value === undefined
      ? `expected ${expected.join(' or ')}, got undefined: do not call functions without parameters, such as critical, in pipe, and return a value from all other functions`
      : `expected ${expected.join(' or ')}, got ${describeValue(value)}${targetRemedy(names, tags, value)}`,
  )
}

/** The remedy for a combinator of trees that is applied to an endpoint, and the other way round, and for an endpoint without a path. */
const targetRemedy = (
  [name]: ReadonlyArray<string>,
  [tag]: ReadonlyArray<TargetTag>,
  value: unknown,
): string => {
  if (name === undefined) return ''
  if (!isNode(value))
    return tag === 'Endpoint' && typeof value === 'function' ? ': start with path(…)' : ''
  return tag === 'Routes'
    ? `: apply ${name} to a tree, as in pipe(routes({ … }), ${name}(…))`
    : `: apply ${name} to the endpoints of the tree`
}

const invalidUse = (concerns: ReadonlyArray<string>, remedy: string): ConfigurationError =>
  new ConfigurationError([{ code: 'FW-ROUTE-007', concerns, remedy }])

/** The filters, mappers, readers, writers or interceptors that a function accepts. */
interface ExpectedProviders {
  /** A noun phrase for one of them. */
  readonly noun: string
  /** The functions that create one of them from a function. */
  readonly creators: string
  /** The function that accepts values with other tags, by tag. */
  readonly others?: Readonly<Record<string, string>>
}

/** Throws a `ConfigurationError` for values that are not filters, mappers, readers, writers or interceptors. */
export const checkProviders = (
  name: string,
  values: ReadonlyArray<unknown>,
  { noun, creators, others = {} }: ExpectedProviders,
): void => {
  for (const value of values) {
    if (!isTagged(value) || isNode(value))
      throw invalidUse(
        [name],
        `expected ${noun}, got ${describeValue(value)}${
          typeof value === 'function'
            ? `: wrap it in ${creators}, or call it if it creates ${noun}`
            : Array.isArray(value)
              ? `: pass its elements as arguments: ${name}(first, second)`
              : ''
        }`,
      )
    const other = Object.hasOwn(others, value._tag) ? others[value._tag] : undefined
    if (other !== undefined) throw invalidUse([name], `expected ${noun}: use ${other}`)
  }
}

const isTagged = (value: unknown): value is { readonly _tag: string } =>
  isObject(value) && '_tag' in value && typeof value._tag === 'string'

/**
 * Returns a record of codecs or slots. Throws a `ConfigurationError` for other values, such as a codec or a list. `remedy` is an example of
 * the call.
 */
export const checkRecord = <R>(name: string, record: R, remedy: string): R => {
  if (isRecord(record)) return record
  throw invalidUse([name], `expected a record, got ${describeValue(record)}: ${remedy}`)
}

/** Whether a value is an object other than a list, a codec, a schema or another value of this package. */
export const isRecord = (value: unknown): boolean =>
  isObject(value) &&
  !Array.isArray(value) &&
  !isTagged(value) &&
  !isCodec(value) &&
  !isStandardSchema(value)

/** The names of options. For a union of objects, the names of all of them. */
type OptionName<O> = O extends unknown ? keyof O & string : never

/**
 * Returns `options` unchanged. Throws a `TypeError` unless `options` is an object whose keys are all in `known`. Without
 * this check, a misspelled option would have no effect.
 */
export const checkOptions = <O>(
  name: string,
  known: ReadonlyArray<OptionName<O>>,
  options: O | RejectedOptions<string>,
): O => {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(
      `${name}: invalid options: expected an object, got ${describeValue(options)}`,
    )
  const [unknown] = unknownOptions(known, options)
  if (unknown === undefined) return options
  throw new TypeError(
    `${name}: unknown option ${JSON.stringify(unknown)}: expected ${anyOf(known)}`,
  )
}

/** Returns the keys of `options` that are not in `known`. */
export const unknownOptions = (
  known: ReadonlyArray<string>,
  options: object,
): ReadonlyArray<string> => Object.keys(options).filter((key) => !known.includes(key))

/** Joins names for a message, as in `a, b or c`. */
export const anyOf = (names: ReadonlyArray<string>): string =>
  names.join(', ').replace(/, (?!.*, )/, ' or ')

/** Throws a `TypeError` unless an option is a list or undefined. */
export const checkList = (name: string, option: string, value: unknown): void => {
  if (value !== undefined && !Array.isArray(value))
    throw new TypeError(
      `${name}: invalid ${option}: expected a list of strings, got ${describeValue(value)}`,
    )
}

/** Throws a `ConfigurationError` unless `value` is a tree. `concern` describes the value. */
export function checkTree<X>(
  concern: string,
  value: X,
): asserts value is Extract<X, { readonly _tag: 'Routes' }> {
  if (isTree(value)) return
  const remedy = `expected a route tree, got ${describeValue(value)}: create a tree with routes({ … })`
  throw new ConfigurationError([{ code: 'FW-ROUTE-008', concerns: [concern], remedy }])
}

/** Whether a value is a tree. */
export const isTree = <X>(value: X): value is Extract<X, { readonly _tag: 'Routes' }> =>
  isNode(value) && value._tag === 'Routes'

/** Whether a value is an endpoint or a tree. */
export const isNode = (value: unknown): value is Target =>
  isObject(value) && '_tag' in value && (value._tag === 'Endpoint' || value._tag === 'Routes')
