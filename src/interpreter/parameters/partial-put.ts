/**
 * Rejects PUT requests with a `Content-Range` header. The body of such a request is only part of a representation. Storing this
 * part as the complete representation would destroy data.
 *
 * In requests with any other method, `Content-Range` must be ignored (RFC 9110, 14.4).
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.5
 */
import * as E from 'fp-ts/lib/Either.js'
import type { ValidationError } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import type { ReadInput } from './read-parameters.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { ParameterSource } from './raw-values.ts'

/** The properties of a plan that determine whether `Content-Range` is supported. */
type OperationHead = Pick<Plan, 'method' | 'parameters'>

/** Whether a request is a partial PUT to an operation that does not declare `Content-Range` as a header parameter. */
export const isPartialPut = (plan: OperationHead, headers: Headers.RequestHeaders): boolean =>
  rejectsPartialPut(plan) && Headers.first(headers, name) !== undefined

/**
 * Adds a check for partial PUT requests to a parameter reader. A failed check is reported together with the other validation
 * errors, before the body is read.
 */
export const withPartialPutCheck = (
  plan: OperationHead,
  read: ReadInput<ParameterSource>,
): ReadInput<ParameterSource> =>
  rejectsPartialPut(plan)
    ? (source) => {
        if (Headers.first(source.exchange.headers, name) === undefined) return read(source)
        const result = read(source)
        return E.left(E.isLeft(result) ? [...result.left, error] : [error])
      }
    : read

const name = 'content-range'

const rejectsPartialPut = ({ method, parameters }: OperationHead): boolean =>
  method === 'PUT' && !parameters.header.some((declared) => declared.name === name)

const error: ValidationError = Object.freeze({
  in: 'header',
  name,
  detail: 'must be omitted: this operation does not support PUT with Content-Range',
})
