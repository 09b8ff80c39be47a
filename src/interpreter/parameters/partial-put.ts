/**
 * Rejects partial PUT requests: to store a part as if it were the whole representation destroys data.
 *
 * Only PUT is concerned. With every other method `Content-Range` must be ignored (RFC 9110, 14.4).
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.5
 */
import * as E from 'fp-ts/lib/Either.js'
import type { ValidationError } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import type { ReadInput } from './input.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { ParameterSource } from './raw-values.ts'

type Declaring = Pick<Plan, 'method' | 'parameters'>

/** Whether a request is a partial PUT to an operation that does not declare `Content-Range` as a header parameter. */
export const isPartialPut = (plan: Declaring, headers: Headers.Headers): boolean =>
  expectsWhole(plan) && Headers.first(headers, name) !== undefined

/** Adds the rejection to the reader of an operation's parameters: reported with their validation errors, before the body is read. */
export const rejectingPartialPut = (
  plan: Declaring,
  read: ReadInput<ParameterSource>,
): ReadInput<ParameterSource> =>
  expectsWhole(plan)
    ? (source) => {
        if (Headers.first(source.exchange.headers, name) === undefined) return read(source)
        const result = read(source)
        return E.left(E.isLeft(result) ? [...result.left, error] : [error])
      }
    : read

const name = 'content-range'

const expectsWhole = ({ method, parameters }: Declaring): boolean =>
  method === 'PUT' && !parameters.header.some((declared) => declared.name === name)

const error: ValidationError = Object.freeze({
  in: 'header',
  name,
  detail: 'must be missing: this operation does not support PUT with Content-Range',
})
