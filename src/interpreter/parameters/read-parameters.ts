/** Reads the parameters of an operation from the request head, decodes them, and collects all validation errors. */
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { expectedTypes } from '../../codec/from-string.ts'
import type { BackEnd } from '../../codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { rejected } from '../../codec/compiled/runtime.ts'
import { isMissingFeature } from '../../codec/missing-feature.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { parameterErrors } from '../../body/decode-body.ts'
import type { RequestFailure, ValidationError } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import * as Form from '../../http/form.ts'
import { limitName } from '../../compiler/settings/body-limit.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { FindValues, ParameterLimit, ParameterSource, RawValues } from './raw-values.ts'
import { inCookies, inHeaders, inMatrix, inPath, inQuery, tooManyParameters } from './raw-values.ts'

/** The input for a handler. It consists of the parameters, the slot values and the body. */
export type HandlerInput = Record<string, unknown>

/** Reads a part of the handler input. Returns this part, or the validation errors if the request is invalid. */
export type ReadInput<A, B = HandlerInput> = (
  from: A,
) => E.Either<ReadonlyArray<ValidationError>, B>

/** Creates the reader for the declared parameters of an operation. Undeclared parameters are ignored. */
export const readParameters = (plan: Plan, settings: Settings): ReadInput<ParameterSource> => {
  const { path, query, header, cookie, matrix } = plan.parameters
  const limit = {
    maximum: settings['fw.http.limits.max-parameters'],
    name: limitName('fw.http.limits.max-parameters', settings),
  }
  const groups: ReadonlyArray<readonly [key: string, read: ReadInput<ParameterSource, unknown>]> = [
    ['path', path, inPath(path, plan.pattern)] as const,
    ['query', query, inQuery(query, limit)] as const,
    ['header', header, inHeaders(header)] as const,
    ['cookie', cookie, inCookies(cookie, limit)] as const,
    ['matrix', matrix, inMatrix(matrix, limit)] as const,
  ]
    .filter(([, parameters]) => parameters.length > 0)
    .map(([key, parameters, find]) => [key, readGroup(parameters, find, settings)])
  const readers = plan.queryMap ? [...groups, ['queryMap', readQueryMap(limit)] as const] : groups
  if (readers.length === 0) return readNothing
  return (source) => {
    const input: HandlerInput = {}
    const errors: ValidationError[] = []
    for (const [key, read] of readers) {
      const result = read(source)
      if (E.isRight(result)) input[key] = result.right
      else errors.push(...result.left)
    }
    return errors.length === 0 ? E.right(input) : E.left(errors)
  }
}

const readNothing: ReadInput<ParameterSource> = () => E.right({})

/**
 * Creates the reader for the variables in the path prefixes of an operation. The values are keyed by slot. Returns `undefined` if
 * there are no such variables.
 */
export const prefixReader = (
  { prefixParameters, pattern }: Pick<Plan, 'prefixParameters' | 'pattern'>,
  settings: Settings,
): ReadInput<ParameterSource> | undefined =>
  prefixParameters.length === 0
    ? undefined
    : readGroup(prefixParameters, inPath(prefixParameters, pattern), settings)

/** Creates the reader for a group of parameters. `isUrlEncoded` is that of {@link parameterDecoder}. */
export const readGroup = <A>(
  plans: ReadonlyArray<ParameterPlan>,
  find: FindValues<A>,
  settings: Settings,
  isUrlEncoded?: boolean,
): ReadInput<A> => {
  const once = settings['fw.rest.duplicate-scalar'] === 'reject'
  const parameters = plans.map((plan) =>
    parameterDecoder(plan, once, codecBackEnd(settings), isUrlEncoded),
  )
  return (from) => {
    const rawValues = find(from)
    if ('detail' in rawValues) return E.left([rawValues])
    const values: HandlerInput = {}
    const errors: ValidationError[] = []
    for (const [index, { plan, decode, validationError }] of parameters.entries()) {
      const value = decode(rawValues[index])
      if (value === rejected) errors.push(validationError(rawValues[index]))
      else values[plan.key] = value
    }
    return errors.length === 0 ? E.right(values) : E.left(errors)
  }
}

/** Creates a reader that returns all query parameters as a map, keyed by name. */
const readQueryMap =
  (limit: ParameterLimit): ReadInput<ParameterSource, unknown> =>
  ({ exchange }) => {
    const query = exchange.query ?? ''
    if (Form.count(query, limit.maximum) > limit.maximum)
      return E.left([tooManyParameters('query', limit)])
    const values = Form.groupByName(Form.split(query))
    return values === undefined
      ? E.left([{ in: 'query', detail: 'has malformed percent-encoding' }])
      : E.right(values)
  }

/**
 * Returns the failure for invalid parameters: 404 if a path parameter is invalid, otherwise 400.
 *
 * If `fw.rest.conversion-failure` is `jakarta`, invalid query and matrix parameters also result in a 404 response.
 */
export const parameterFailure = (
  errors: ReadonlyArray<ValidationError>,
  settings: Settings,
): RequestFailure => {
  const identifying =
    settings['fw.rest.conversion-failure'] === 'jakarta' ? identifyingInJakarta : identifyingGroups
  return Failures.ofErrors(
    errors.some((error) => identifying.includes(error.in)) ? 'NotFound' : 'InvalidInput',
    errors,
  )
}

/** The parameter groups that identify the resource. An invalid value in one of these groups results in a 404 response. */
const identifyingGroups: ReadonlyArray<ValidationError['in']> = ['path']
const identifyingInJakarta: ReadonlyArray<ValidationError['in']> = ['path', 'query', 'matrix']

/** Decodes one parameter. */
interface ParameterDecoder {
  readonly plan: ParameterPlan
  /** Returns the decoded value, or `rejected` if the raw values are invalid. */
  readonly decode: (rawValues: RawValues) => unknown
  /** Returns the validation error for raw values that `decode` has rejected. */
  readonly validationError: (rawValues: RawValues) => ValidationError
}

/**
 * Creates the decoder for a parameter.
 *
 * If `once` is set, a scalar parameter that occurs more than once results in a validation error. Otherwise, its first value is
 * used.
 *
 * An `HttpError` thrown by a codec determines the response. Any other error results in a validation error.
 *
 * If `isUrlEncoded` is set, each `+` has been decoded to a space. The error names the remedy if the value would be valid with a plus
 * sign, as dates with an offset are. Default: whether the parameter belongs to the query.
 */
const parameterDecoder = (
  plan: ParameterPlan,
  once: boolean,
  backEnd: BackEnd,
  isUrlEncoded = plan.group === 'query',
): ParameterDecoder => {
  const { group, name, codec } = plan
  const { isCollection, separator, keepsEmpty, isUndefinedIfMissing, convert } =
    parameterShape(codec)
  const { decodeOrReject, decode, rejectsUniformly } = compileCodec(codec, 'drop', backEnd)
  const toValidationError = parameterErrors({ in: group, name })
  const errorOf = (detail: string): ValidationError => ({ in: group, name, detail })
  /** Splits values at the separator, and removes empty values if the parameter ignores them. */
  const splitValues = (rawValues: ReadonlyArray<string>): ReadonlyArray<string> => {
    const split =
      separator === undefined ? rawValues : rawValues.flatMap((text) => text.split(separator))
    return keepsEmpty || !split.includes('') ? split : split.filter((text) => text !== '')
  }
  /** Converts raw values to the input for the codec. */
  const codecInput = (values: ReadonlyArray<string>): unknown => {
    if (isCollection)
      return values.length === 0 && isUndefinedIfMissing ? undefined : values.map(convert)
    const [first] = values
    return first === undefined ? undefined : convert(first)
  }
  /** The errors for invalid and missing values, if they do not depend on the value. */
  let invalid: ValidationError | undefined
  let missing: ValidationError | undefined
  const uniformError = (isMissing: boolean, errors: t.Errors): ValidationError => {
    const error = toValidationError(errors)
    if (rejectsUniformly()) {
      if (isMissing) missing = error
      else invalid = error
    }
    return error
  }
  const isRepeated = (values: ReadonlyArray<string>): boolean =>
    once && !isCollection && values.length > 1
  const decodeRaw: ParameterDecoder['decode'] = (rawValues) => {
    if (rawValues === undefined) return rejected
    const values = splitValues(rawValues)
    if (isRepeated(values)) return rejected
    try {
      return decodeOrReject(codecInput(values))
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
    plan,
    decode: decodeRaw,
    validationError: (rawValues) => {
      if (rawValues === undefined) return errorOf('has malformed percent-encoding')
      const values = splitValues(rawValues)
      if (isRepeated(values)) return errorOf('must not occur more than once')
      if (needsPlus(rawValues))
        return errorOf('contains a space that must be a plus sign: encode + as %2B')
      const isMissing = values.length === 0
      const known = isMissing ? missing : invalid
      if (known !== undefined) return known
      try {
        const decoded = decode(codecInput(values))
        if (!E.isRight(decoded)) return uniformError(isMissing, decoded.left)
      } catch (error) {
        if (isHttpError(error) || isMissingFeature(error)) throw error
      }
      return errorOf(expectedTypes([codec.name]))
    },
  }
}
