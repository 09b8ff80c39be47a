/** Converts errors of io-ts to validation errors: the location and the expected type, without the invalid value. */
import type * as t from 'io-ts'
import { expectedTypes } from '../codec/expected-types.ts'
import type { ValidationError } from '../http/failure.ts'
import { unwrap, isCodec } from '../codec/structure/codec-structure.ts'
import * as JsonPointer from '../http/json-pointer.ts'
import { withCachedDocument } from '../http/problem-document.ts'

/** Maximum number of errors that are processed: a large body and a union can result in hundreds of thousands. */
const mostSeen = 1000

/** A validation error of a parameter whose codec has no message of its own. */
interface CachedError {
  readonly type: t.ContextEntry['type'] | undefined
  readonly missing: boolean
  readonly fault: ValidationError
}

/** Maximum number of cached errors for each parameter. */
const mostDemanded = 16

/**
 * Returns a function that converts the errors of a parameter to one validation error.
 *
 * Errors without a message of their own are cached by codec, together with their document: this saves 0.7 µs of 6.0 µs.
 */
export const parameterErrors = (
  place: Pick<ValidationError, 'in' | 'name'>,
): ((errors: t.Errors) => ValidationError) => {
  const demanded: CachedError[] = []
  const because = (detail: string): ValidationError => ({ ...place, detail })
  return (errors) => {
    if (!isOne(errors)) return because(ofPlaces(gather(errors)))
    const [error] = errors
    const { context, message, value } = error
    if (message !== undefined) return because(message)
    const type = context.at(-1)?.type
    const missing = value === undefined
    const before = demanded.find((one) => one.type === type && one.missing === missing)
    if (before !== undefined) return before.fault
    const made = because(said(error))
    if (demanded.length >= mostDemanded) return made
    const fault = withCachedDocument(made)
    demanded.push({ type, missing, fault })
    return fault
  }
}

/** Converts the errors of a body to validation errors, one for each location. */
export const bodyErrors = (errors: t.Errors): ReadonlyArray<ValidationError> =>
  gather(errors).map((seen) => ({
    in: 'body',
    pointer: JsonPointer.format(seen.path),
    detail: isOne(seen.errors) ? said(seen.errors[0]) : ofPlaces([seen]),
  }))

/** A single error, the common case, needs no grouping. */
const isOne = (errors: ReadonlyArray<t.ValidationError>): errors is readonly [t.ValidationError] =>
  errors.length === 1

const said = ({ context, message, value }: t.ValidationError): string =>
  message ?? expectedTypes([nameOf(context)], value === undefined)

/** Combines errors: the messages of codecs or, without any, the expected types. */
const ofPlaces = (places: ReadonlyArray<ErrorsAtPath>): string => {
  const errors = places.flatMap((seen) => seen.errors)
  const sentences = errors.flatMap(({ message }) => (message === undefined ? [] : [message]))
  return sentences.length > 0
    ? distinct(sentences).join('; ')
    : expectedTypes(
        errors.map(({ context }) => nameOf(context)),
        places.every(isMissing),
      )
}

const nameOf = (context: t.Context): string => context.at(-1)?.type.name ?? ''

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

/** The errors at a path within a value. */
interface ErrorsAtPath {
  readonly path: ReadonlyArray<string>
  readonly errors: ReadonlyArray<t.ValidationError>
}

const isMissing = ({ errors }: ErrorsAtPath): boolean => errors.at(-1)?.value === undefined

/** Groups errors by path, in the order of their first error. */
const gather = (errors: t.Errors): ReadonlyArray<ErrorsAtPath> => {
  if (isOne(errors)) return [{ path: pathOf(errors[0].context), errors }]
  const byPlace = new Map<string, ErrorsAtPath & { readonly errors: Array<t.ValidationError> }>()
  for (const error of errors.slice(0, mostSeen)) {
    const path = pathOf(error.context)
    const key = path.reduce((text, name) => `${text}${name.length}:${name}`, '')
    const before = byPlace.get(key)
    if (before === undefined) byPlace.set(key, { path, errors: [error] })
    else before.errors.push(error)
  }
  return [...byPlace.values()]
}

/** Returns the path of an error, without the indexes that io-ts adds for members of unions and intersections. */
const pathOf = (context: t.Context): ReadonlyArray<string> =>
  context.filter((_, index) => isKey(context[index - 1])).map(({ key }) => key)

const isKey = (parent: t.ContextEntry | undefined): boolean =>
  parent !== undefined && !notesPositions(parent.type)

/** Wrapping codecs have no context entry of their own, so they are unwrapped first. */
const notesPositions = (type: t.ContextEntry['type']): boolean => {
  if (!isCodec(type)) return false
  const { _tag } = unwrap(type)
  return _tag === 'UnionType' || _tag === 'IntersectionType'
}
