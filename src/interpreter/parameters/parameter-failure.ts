/** The failures of requests with invalid parameters, with too many parameters, or with a part of a representation. */
import type { RequestFailure, ValidationError } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

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

/** The maximum number of parameters in a group, and the name of this limit in error messages. */
export interface ParameterLimit {
  readonly maximum: number
  readonly name: string
}

/** Creates the validation error for a group with more than `maximum` parameters. */
export const tooManyParameters = (
  group: ValidationError['in'],
  { maximum, name }: ParameterLimit,
): ValidationError => ({
  in: group,
  detail: `must have at most ${maximum} parameters (${name})`,
})

/**
 * Whether an operation rejects PUT requests with a `Content-Range` header: it does not declare this header as a parameter.
 *
 * The body of such a request is only part of a representation. Storing this part as the complete representation would destroy data.
 * In requests with any other method, `Content-Range` must be ignored (RFC 9110, 14.4).
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.5
 */
export const rejectsPartialPut = ({
  method,
  parameters,
}: Pick<Plan, 'method' | 'parameters'>): boolean =>
  method === 'PUT' && !parameters.header.some((declared) => declared.name === contentRange)

/** Whether the body of a PUT request is only part of a representation. */
export const isPartial = (headers: Headers.RequestHeaders): boolean =>
  Headers.first(headers, contentRange) !== undefined

const contentRange = 'content-range'

/** The error for partial PUT requests. It is reported together with the other validation errors, before the body is read. */
export const partialPut: ValidationError = Object.freeze({
  in: 'header',
  name: contentRange,
  detail: 'must be omitted: this operation does not support PUT with Content-Range',
})
