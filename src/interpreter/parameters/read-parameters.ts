/**
 * Reads the parameters of an operation: finds their raw values in the request head, decodes them, and collects all validation errors.
 *
 * Undeclared parameters are skipped. All parameters in the query are found in one pass.
 */
import * as E from 'fp-ts/lib/Either.js'
import { expectedTypes } from '../../codec/from-string.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { rejected } from '../../codec/compiled/runtime.ts'
import { isMissingFeature } from '../../codec/missing-feature.ts'
import { parameterShape, textReader } from '../../codec/schema/parameter-shape.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { parameterErrors } from '../../body/decode-body.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Percent from '../../http/percent.ts'
import { limitName } from '../../compiler/settings/body-limit.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import * as Cookie from '../../http/cookie.ts'
import * as Headers from '../../http/headers.ts'
import * as Path from '../../http/path.ts'
import type { Exchange } from '../exchange.ts'
import type { ParameterLimit } from './parameter-failure.ts'
import { isPartial, partialPut, rejectsPartialPut, tooManyParameters } from './parameter-failure.ts'
import type { PathCapture } from '../routing/path-matcher.ts'
import type { Pattern } from '../../endpoint/definition/path-pattern.ts'

/** The input for a handler. It consists of the parameters, the slot values and the body. */
export type HandlerInput = Record<string, unknown>

/** Reads a part of the handler input. Returns this part, or the validation errors if the request is invalid. */
export type ReadInput<A> = (from: A) => E.Either<ReadonlyArray<ValidationError>, HandlerInput>

/**
 * Creates the reader for the declared parameters of an operation. Undeclared parameters are ignored. Returns `undefined` if no parameters
 * are declared.
 */
export const readParameters = (
  plan: Plan,
  settings: Settings,
): ReadInput<ParameterSource> | undefined => {
  const { path, query, header, cookie, matrix } = plan.parameters
  const limit = {
    maximum: settings['fw.http.limits.max-parameters'],
    name: limitName('fw.http.limits.max-parameters', settings),
  }
  const group = <Part>(
    key: string,
    plans: ReadonlyArray<ParameterPlan>,
    finder: ParameterFinder<ParameterSource, Part>,
  ): ReadonlyArray<InputGroup> =>
    plans.length === 0 ? [] : [[key, groupReader(plans, finder, settings)]]
  const groups: ReadonlyArray<InputGroup> = [
    ...group('path', path, inPath(plan.pattern)),
    ...group('query', query, inQuery(query, limit)),
    ...group('header', header, inHeaders),
    ...group('cookie', cookie, inCookies(limit)),
    ...group('matrix', matrix, inMatrix(matrix, limit)),
    ...(plan.queryMap ? [['queryMap', queryMapReader(limit)] as const] : []),
  ]
  const mayBePartial = rejectsPartialPut(plan)
  if (groups.length === 0 && !mayBePartial) return undefined
  return (source) => {
    const input: HandlerInput = {}
    const errors: ValidationError[] = []
    for (const [key, read] of groups) input[key] = read(source, errors)
    if (mayBePartial && isPartial(source.exchange.headers)) errors.push(partialPut)
    return errors.length === 0 ? E.right(input) : E.left(errors)
  }
}

/** Reads the parameters of a group, and adds the validation errors to `errors`. */
type ReadGroup<A> = (from: A, errors: ValidationError[]) => unknown

/** A group of parameters, which is a member of the handler input. */
type InputGroup = readonly [key: string, read: ReadGroup<ParameterSource>]

/**
 * Creates the reader for the variables in the path prefixes of an operation. The values are keyed by slot. Returns `undefined` if
 * there are no such variables.
 */
export const prefixReader = (
  { prefixParameters, pattern }: Pick<Plan, 'prefixParameters' | 'pattern'>,
  settings: Settings,
): ReadInput<ParameterSource> | undefined =>
  prefixParameters.length === 0 ? undefined : readGroup(prefixParameters, inPath(pattern), settings)

/** Creates the reader for a group of parameters. `isUrlEncoded` is that of {@link parameterReader}. */
export const readGroup = <A, Part>(
  plans: ReadonlyArray<ParameterPlan>,
  finder: ParameterFinder<A, Part>,
  settings: Settings,
  isUrlEncoded?: boolean,
): ReadInput<A> => {
  const read = groupReader(plans, finder, settings, isUrlEncoded)
  return (from) => {
    const errors: ValidationError[] = []
    const values = read(from, errors)
    return errors.length === 0 ? E.right(values) : E.left(errors)
  }
}

const groupReader = <A, Part>(
  plans: ReadonlyArray<ParameterPlan>,
  { locate, find, tooMany }: ParameterFinder<A, Part>,
  settings: Settings,
  isUrlEncoded?: boolean,
): ((from: A, errors: ValidationError[]) => HandlerInput) => {
  const parameters = plans.map((plan, index) =>
    parameterReader(plan, find(plan, index), settings, isUrlEncoded),
  )
  return (from, errors) => {
    const values: HandlerInput = {}
    const part = locate(from)
    if (part === undefined) {
      if (tooMany !== undefined) errors.push(tooMany)
      return values
    }
    for (const { key, read, validationError } of parameters) {
      const value = read(part)
      if (value === rejected) errors.push(validationError(part))
      else values[key] = value
    }
    return values
  }
}

/** Creates a reader that returns all query parameters as a map, keyed by name. */
const queryMapReader =
  (limit: ParameterLimit): ReadGroup<ParameterSource> =>
  ({ exchange: { query = '' } }, errors) => {
    if (Percent.countPairs(query, limit.maximum) > limit.maximum) {
      errors.push(tooManyParameters('query', limit))
      return undefined
    }
    const values = Percent.groupPairs(Percent.splitPairs(query))
    if (values === undefined) errors.push({ in: 'query', detail: 'has malformed percent-encoding' })
    return values
  }

/** Reads one parameter from the part of the request that contains it. */
interface ParameterReader<Part> {
  readonly key: string
  /** Returns the decoded value, or `rejected` if the raw values are invalid. */
  readonly read: (part: Part) => unknown
  /** Returns the validation error for a part in which `read` has rejected the raw values. */
  readonly validationError: (part: Part) => ValidationError
}

/**
 * Creates the reader for a parameter.
 *
 * If `fw.rest.duplicate-scalar` is `reject`, a scalar parameter that occurs more than once results in a validation error. Otherwise,
 * its first value is used.
 *
 * An `HttpError` thrown by a codec determines the response. Any other error results in a validation error.
 *
 * If `isUrlEncoded` is set, each `+` has been decoded to a space. The error names the remedy if the value would be valid with a plus
 * sign, as dates with an offset are. Default: whether the parameter belongs to the query.
 */
const parameterReader = <Part>(
  { key, group, name, codec }: ParameterPlan,
  find: (part: Part) => RawValues,
  settings: Settings,
  isUrlEncoded = group === 'query',
): ParameterReader<Part> => {
  const shape = parameterShape(codec)
  const { isCollection } = shape
  const { split: splitValues, toInput: codecInput } = textReader(shape)
  const isOnce = settings['fw.rest.duplicate-scalar'] === 'reject' && !isCollection
  const compiled = compileCodec(codec, 'drop', codecBackEnd(settings))
  const toValidationError = parameterErrors({ in: group, name })
  const errorOf = (detail: string): ValidationError => ({ in: group, name, detail })
  /** The errors for missing (`true`) and invalid values, if they do not depend on the value. */
  const uniformErrors = new Map<boolean, ValidationError>()
  const decodeRaw = (rawValues: RawValues): unknown => {
    if (rawValues === undefined) return rejected
    const values = splitValues(rawValues)
    if (isOnce && values.length > 1) return rejected
    try {
      return compiled.decodeOrReject(codecInput(values))
    } catch (error) {
      if (isHttpError(error) || isMissingFeature(error)) throw error
      return rejected
    }
  }
  const needsPlus = (rawValues: ReadonlyArray<string>): boolean =>
    isUrlEncoded &&
    rawValues.some((text) => text.includes(' ')) &&
    decodeRaw(rawValues.map((text) => text.replace(/ (?=[^ ]*$)/, '+'))) !== rejected
  return {
    key,
    read: (part) => decodeRaw(find(part)),
    validationError: (part) => {
      const rawValues = find(part)
      if (rawValues === undefined) return errorOf('has malformed percent-encoding')
      const values = splitValues(rawValues)
      if (isOnce && values.length > 1) return errorOf('must not occur more than once')
      if (needsPlus(rawValues))
        return errorOf('contains a space that must be a plus sign: encode + as %2B')
      const isMissing = values.length === 0
      const known = uniformErrors.get(isMissing)
      if (known !== undefined) return known
      try {
        const decoded = compiled.decode(codecInput(values))
        if (E.isLeft(decoded)) {
          const error = toValidationError(decoded.left)
          if (compiled.rejectsUniformly()) uniformErrors.set(isMissing, error)
          return error
        }
      } catch (error) {
        if (isHttpError(error) || isMissingFeature(error)) throw error
      }
      return errorOf(expectedTypes([codec.name]))
    },
  }
}

/** The parts of a request that contain parameters. */
export interface ParameterSource {
  readonly exchange: Pick<Exchange, 'path' | 'query' | 'headers'>
  readonly captures: ReadonlyArray<PathCapture>
}

/** The raw values of a parameter, in order of appearance. `undefined` if at least one value has malformed percent-encoding. */
export type RawValues = ReadonlyArray<string> | undefined

/** Finds the raw values of a group of parameters, which are all in the same part of a request. */
export interface ParameterFinder<A, Part> {
  /** Returns the part that contains the parameters, or `undefined` if it contains too many of them. */
  readonly locate: (from: A) => Part | undefined
  /** Returns a function that finds the raw values of the parameter at an index of the group. */
  readonly find: (parameter: ParameterPlan, index: number) => (part: Part) => RawValues
  /** The validation error for too many parameters. */
  readonly tooMany?: ValidationError
}

type Parameters = ReadonlyArray<ParameterPlan>

/** The raw values of a missing parameter. The array is shared and must not be modified. */
export const noValues: string[] = []

/** Returns the finder for the path parameters. */
export const inPath = ({
  names,
}: Pattern): ParameterFinder<ParameterSource, ReadonlyArray<PathCapture>> => ({
  locate: ({ captures }) => captures,
  find: ({ name, codec }) => {
    const position = names.indexOf(name)
    const { isCollection, keepsEscapes } = parameterShape(codec)
    return (captures) => {
      const capture = captures[position]
      if (capture === undefined) return noValues
      if (isCollection) return keepsEscapes ? capture.rawSegments : capture.segments
      return [keepsEscapes ? capture.raw : capture.text]
    }
  },
})

/** Returns the finder for the query parameters. The limit includes undeclared parameters. */
export const inQuery = (
  parameters: Parameters,
  limit: ParameterLimit,
): ParameterFinder<ParameterSource, CollectedValues> => {
  const { maximum } = limit
  const { locate, find } = inForm(parameters)
  return {
    // a query with more than `maximum` parameters has at least `maximum` characters
    locate: ({ exchange: { query = '' } }) =>
      query.length >= maximum && Percent.countPairs(query, maximum) > maximum
        ? undefined
        : locate(query),
    find,
    tooMany: tooManyParameters('query', limit),
  }
}

/** Returns the finder for the declared fields in a URL-encoded form. */
export const inForm = (parameters: Parameters): ParameterFinder<string, CollectedValues> => {
  const collect = valueCollector(parameters, Percent.decodeForm)
  return {
    locate: (text) => {
      const values: CollectedValues = parameters.map(() => noValues)
      Percent.forEachPair(text, (name, value) => collect(values, name, value))
      return values
    },
    find: valueAt,
  }
}

const valueAt =
  (_: ParameterPlan, index: number) =>
  (values: CollectedValues): RawValues =>
    values[index]

/** Returns the finder for the matrix parameters in all path segments. The limit includes undeclared parameters. */
export const inMatrix = (
  parameters: Parameters,
  limit: ParameterLimit,
): ParameterFinder<ParameterSource, CollectedValues> => {
  const collect = valueCollector(parameters, Percent.decode)
  return {
    locate: ({ exchange: { path } }) => {
      const pairs = path.includes(';') ? Path.matrix(Path.split(path) ?? []) : []
      if (pairs.length > limit.maximum) return undefined
      const values: CollectedValues = parameters.map(() => noValues)
      for (const [name, value] of pairs) collect(values, name, value)
      return values
    },
    find: valueAt,
    tooMany: tooManyParameters('matrix', limit),
  }
}

/** The finder for header parameters. */
export const inHeaders: ParameterFinder<ParameterSource, Headers.RequestHeaders> = {
  locate: ({ exchange: { headers } }) => headers,
  find: ({ name, codec }) =>
    parameterShape(codec).isCombined
      ? (headers) => {
          const value = Headers.combined(headers, name)
          return value === undefined ? noValues : [value]
        }
      : (headers) => Headers.all(headers, name),
}

/** Returns the finder for cookies. A request may have up to `maximum` cookies with different names, including undeclared cookies. */
export const inCookies = (limit: ParameterLimit): ParameterFinder<ParameterSource, string> => ({
  locate: ({ exchange: { headers } }) => {
    const header = Headers.combined(headers, 'cookie') ?? ''
    return header.length > limit.maximum && Cookie.parse(header).size > limit.maximum
      ? undefined
      : header
  },
  find:
    ({ name }) =>
    (header) =>
      Cookie.values(header, name),
  tooMany: tooManyParameters('cookie', limit),
})

type CollectedValues = Array<string[] | undefined>

type CollectValue = (values: CollectedValues, rawName: string, rawValue: string | undefined) => void

/**
 * Returns a function that decodes a name-value pair and adds the value to `values`, at the index of the parameter with that name.
 * Undeclared names are ignored. `rawValue` is `undefined` if the pair does not contain `=`.
 */
const valueCollector = (
  parameters: Parameters,
  decode: (text: string) => string | undefined,
): CollectValue => {
  const positions = new Map(parameters.map(({ name }, at) => [name, at]))
  const shapes = parameters.map(({ codec }) => parameterShape(codec))
  return (values, rawName, rawValue) => {
    const at = positions.get(rawName) ?? positions.get(decode(rawName) ?? '') ?? -1
    const shape = shapes[at]
    const existing = values[at]
    if (shape === undefined || existing === undefined) return
    const text =
      rawValue === undefined ? shape.valueIfBare : shape.keepsEscapes ? rawValue : decode(rawValue)
    if (text === undefined) values[at] = undefined
    else if (existing === noValues) values[at] = [text]
    else existing.push(text)
  }
}
