/** Puts the errors of io-ts into words: where, and what was expected. The value that was refused is not repeated. */
import type * as t from 'io-ts'
import { expectedTypes } from '../codec/expected-types.ts'
import type { ValidationError } from '../http/failure.ts'
import { unwrap, isCodec } from '../codec/structure/codec-structure.ts'
import * as JsonPointer from '../http/json-pointer.ts'
import { withCachedDocument } from '../http/problem-document.ts'

/** No more errors than this are looked at: a large body against a union can have hundreds of thousands. */
const mostSeen = 1000

/** What a parameter is told when one codec refuses it that says nothing by itself. */
interface CachedError {
  readonly type: t.ContextEntry['type'] | undefined
  readonly missing: boolean
  readonly fault: ValidationError
}

/** No parameter has more faults than this made beforehand; few codecs refuse it. */
const mostDemanded = 16

/**
 * Prepares the fault of a parameter: one, whatever its structure. Most errors say no more than which codec refused; for each
 * of these it is made once, and so is its document: of a 400 in 6.0 µs, it is 0.7.
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

/** The faults of a body, one for each place. */
export const bodyErrors = (errors: t.Errors): ReadonlyArray<ValidationError> =>
  gather(errors).map((seen) => ({
    in: 'body',
    pointer: JsonPointer.format(seen.path),
    detail: isOne(seen.errors) ? said(seen.errors[0]) : ofPlaces([seen]),
  }))

/** The usual case, a parameter or a place with one error, needs no gathering. */
const isOne = (errors: ReadonlyArray<t.ValidationError>): errors is readonly [t.ValidationError] =>
  errors.length === 1

const said = ({ context, message, value }: t.ValidationError): string =>
  message ?? expectedTypes([nameOf(context)], value === undefined)

/** What the errors of some places say together: the sentences of codecs by themselves or, without any, what they expect. */
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

/** A place in a value, and the errors there. */
interface ErrorsAtPath {
  readonly path: ReadonlyArray<string>
  readonly errors: ReadonlyArray<t.ValidationError>
}

const isMissing = ({ errors }: ErrorsAtPath): boolean => errors.at(-1)?.value === undefined

/** Errors by place, in the order in which the places are met. Arrays grow in place: a body can have very many errors. */
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

/** The keys on the way to an error, without the positions that io-ts notes for members of unions and intersections. */
const pathOf = (context: t.Context): ReadonlyArray<string> =>
  context.filter((_, index) => isKey(context[index - 1])).map(({ key }) => key)

const isKey = (parent: t.ContextEntry | undefined): boolean =>
  parent !== undefined && !notesPositions(parent.type)

/** A wrapper leaves no entry of its own, so it stands where its union or intersection does. */
const notesPositions = (type: t.ContextEntry['type']): boolean => {
  if (!isCodec(type)) return false
  const { _tag } = unwrap(type)
  return _tag === 'UnionType' || _tag === 'IntersectionType'
}
