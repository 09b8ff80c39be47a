/** Reads the parameters of an operation from the request head, decodes them, and collects all validation errors. */
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { expectedTypes } from '../../codec/from-string.ts'
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
import type { ParameterFinder, ParameterLimit, ParameterSource, RawValues } from './raw-values.ts'
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
  const group = <Part>(
    key: string,
    plans: ReadonlyArray<ParameterPlan>,
    finder: ParameterFinder<ParameterSource, Part>,
  ): ReadonlyArray<InputGroup> =>
    plans.length === 0 ? [] : [{ key, read: groupReader(plans, finder, settings) }]
  const groups = [
    ...group('path', path, inPath(plan.pattern)),
    ...group('query', query, inQuery(query, limit)),
    ...group('header', header, inHeaders),
    ...group('cookie', cookie, inCookies(limit)),
    ...group('matrix', matrix, inMatrix(matrix, limit)),
    ...(plan.queryMap ? [{ key: 'queryMap', read: queryMapReader(limit) }] : []),
  ]
  return (source) => {
    const input: HandlerInput = {}
    const errors: ValidationError[] = []
    for (const { key, read } of groups) input[key] = read(source, errors)
    return errors.length === 0 ? E.right(input) : E.left(errors)
  }
}

/** Reads the parameters of a group, and adds the validation errors to `errors`. */
type ReadGroup<A> = (from: A, errors: ValidationError[]) => unknown

/** A group of parameters, which is a member of the handler input. */
interface InputGroup {
  readonly key: string
  readonly read: ReadGroup<ParameterSource>
}

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
    if (Form.count(query, limit.maximum) > limit.maximum) {
      errors.push(tooManyParameters('query', limit))
      return undefined
    }
    const values = Form.groupByName(Form.split(query))
    if (values === undefined) errors.push({ in: 'query', detail: 'has malformed percent-encoding' })
    return values
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
  const { isCollection, separator, keepsEmpty, isUndefinedIfMissing, convert } =
    parameterShape(codec)
  const isOnce = settings['fw.rest.duplicate-scalar'] === 'reject' && !isCollection
  const { decodeOrReject, decode, rejectsUniformly } = compileCodec(
    codec,
    'drop',
    codecBackEnd(settings),
  )
  const toValidationError = parameterErrors({ in: group, name })
  const errorOf = (detail: string): ValidationError => ({ in: group, name, detail })
  /** Splits values at the separator, and removes empty values if the parameter ignores them. */
  const splitValues = (rawValues: ReadonlyArray<string>): ReadonlyArray<string> => {
    const split =
      separator === undefined ? rawValues : rawValues.flatMap((text) => text.split(separator))
    return keepsEmpty || !split.some(isEmpty) ? split : split.filter((text) => !isEmpty(text))
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
  const isRepeated = (values: ReadonlyArray<string>): boolean => isOnce && values.length > 1
  const decodeRaw = (rawValues: RawValues): unknown => {
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
    key,
    read: (part) => decodeRaw(find(part)),
    validationError: (part) => {
      const rawValues = find(part)
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

const isEmpty = (text: string): boolean => text === ''
