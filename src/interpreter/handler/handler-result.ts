/**
 * Normalizes the result of a handler. A handler returns a value, a reply, an `Either` or an error, or a promise or `Task` of one
 * of these.
 */
import * as E from 'fp-ts/lib/Either.js'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply, reply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import { findMapper } from '../errors/find-mapper.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { bodyFormat, describes } from '../../body/body-formats.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { ResponseValue } from '../response/encode-response.ts'
import { isObject } from '../../http/platform-value.ts'

/** The result of a handler: the value of the response, or an error that was returned instead of thrown. */
export type HandlerResult = E.Either<unknown, ResponseValue>

/** Normalizes the settled result of a handler. */
export const normalizeResult = (value: unknown, plan: Plan): HandlerResult =>
  !isEither(value)
    ? fromRight(value, plan)
    : value._tag === 'Left'
      ? fromLeft(value.left, plan)
      : fromRight(value.right, plan)

const fromRight = (value: unknown, plan: Plan): HandlerResult => {
  if (isReply(value)) return E.right(value)
  if (isHttpError(value)) return E.left(value)
  return E.right(
    value === undefined || (value === null && !sendsNull(plan))
      ? { status: emptyStatus(plan), entity: undefined, headers: Headers.empty }
      : { status: plan.success.status, entity: value, headers: Headers.empty },
  )
}

/** Whether a representation of the success response describes `null` as a value, such as `json(nullable(codec))`. */
const sendsNull = ({ success }: Plan): boolean => success.alternatives.some(describes(null))

/**
 * Returns the status to send if a handler returns `undefined`, or `null` where it is no value. This is 204 or, if the operation does
 * not produce a representation, the declared status.
 */
const emptyStatus = ({ success }: Plan): number =>
  success.alternatives.length === 0 ? success.status : 204

/** An `Either` without type parameters. */
export type AnyEither =
  | { readonly _tag: 'Left'; readonly left: unknown }
  | { readonly _tag: 'Right'; readonly right: unknown }

/** Whether a value is an `Either`. */
export const isEither = (value: unknown): value is AnyEither =>
  isObject(value) &&
  '_tag' in value &&
  ((value._tag === 'Left' && 'left' in value) || (value._tag === 'Right' && 'right' in value))

/**
 * Returns a response with the first declared failure whose representation accepts the value in a `Left`.
 *
 * Any other value, such as an error returned by an HTTP client, is passed to an error mapper. If no mapper applies, it results in
 * an internal error. Custom representations accept any value and are therefore ignored if a mapper applies.
 */
const fromLeft = (left: unknown, { name, responses, chain }: Plan): HandlerResult => {
  if (isReply(left)) return E.right(left)
  if (isHttpError(left)) return E.left(left)
  const failures = [...responses.values()].filter((response) => response.failure)
  const isMapped = chain.mappers.length > 0 && hasMapper(chain.mappers, left)
  const failure = failures.find((response) => isAccepted(left, response, !isMapped))
  if (failure !== undefined) return E.right(reply(failure.status, left))
  const message = `the Left value returned by ${name} does not match any declared failure`
  const cause = hasRestrictions(responses) ? {} : { cause: left }
  return E.left(isMapped ? left : new TypeError(message, cause))
}

/** Whether any response can have hidden members. If so, the value returned by the handler is not logged. */
const hasRestrictions = (responses: Plan['responses']): boolean =>
  [...responses.values()].some(({ alternatives }) =>
    alternatives.some((plan) => {
      const codec = codecOfBody(plan)
      return codec !== undefined && restrictionsIn(codec).length > 0
    }),
  )

/**
 * Whether a mapper applies to a value. Returns `true` if a type guard throws. The guard is called again later, and its error is
 * handled then.
 */
const hasMapper = (mappers: Plan['chain']['mappers'], value: unknown): boolean => {
  try {
    return findMapper(mappers, value) !== undefined
  } catch {
    return true
  }
}

const isAccepted = (
  value: unknown,
  { alternatives }: ResponsePlan,
  byCustomFormat: boolean,
): boolean =>
  alternatives.length === 0
    ? value === undefined
    : alternatives.some(({ format }) =>
        format._tag === 'Custom' ? byCustomFormat : bodyFormat(format).accepts(value),
      )
