/** Reads the parameters of an operation from the request head and collects all validation errors. */
import * as E from 'fp-ts/lib/Either.js'
import { rejected } from '../../codec/generated/runtime.ts'
import type { RequestFailure, ValidationError } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import * as Form from '../../http/form.ts'
import { limitName } from '../../compiler/settings/body-limit.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { HandlerInput, ReadInput } from './decode-parameter.ts'
import { parameterDecoder } from './decode-parameter.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { FindValues, ParameterLimit, ParameterSource } from './raw-values.ts'
import { inCookies, inHeaders, inMatrix, inPath, inQuery, tooManyParameters } from './raw-values.ts'

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
