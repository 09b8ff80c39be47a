/**
 * Normalizes the result of a handler. A handler returns a value, a reply, an `Either` or an error, or a promise or `Task` of one
 * of these.
 */
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply, reply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import { isAsync, whenSettled } from '../../body/maybe-async.ts'
import { findMapper } from '../errors/find-mapper.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { bodyFormat, describes } from '../../body/body-formats.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { ResponseValue } from './encode-response.ts'

/** Receives the normalized result. Exactly one of the two functions is called, and only once. */
export interface ResultReceiver {
  readonly respond: (response: ResponseValue) => void
  readonly fail: (error: unknown) => void
}

/** Passes the result of a handler to a receiver. No promise is created if the result is synchronous. */
export const normalizeResult = (result: unknown, plan: Plan, receiver: ResultReceiver): void =>
  isAsync(result)
    ? whenSettled(
        result,
        (value) => receiveResult(value, plan, receiver),
        (error) => receiver.fail(error),
      )
    : receiveResult(result, plan, receiver)

/** Passes a settled result of a handler to a receiver. */
export const receiveResult = (value: unknown, plan: Plan, receiver: ResultReceiver): void => {
  if (!isEither(value)) receiveRight(value, plan, receiver)
  else if (value._tag === 'Left') receiveLeft(value.left, plan, receiver)
  else receiveRight(value.right, plan, receiver)
}

const receiveRight = (value: unknown, plan: Plan, receiver: ResultReceiver): void => {
  if (isReply(value)) return receiver.respond(value)
  if (isHttpError(value)) return receiver.fail(value)
  receiver.respond(
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
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  ((value._tag === 'Left' && 'left' in value) || (value._tag === 'Right' && 'right' in value))

/**
 * Responds with the first declared failure whose representation accepts the value in a `Left`.
 *
 * Any other value, such as an error returned by an HTTP client, is passed to an error mapper. If no mapper applies, it results in
 * an internal error. Custom representations accept any value and are therefore ignored if a mapper applies.
 */
const receiveLeft = (
  left: unknown,
  { name, responses, chain }: Plan,
  receiver: ResultReceiver,
): void => {
  if (isReply(left)) return receiver.respond(left)
  if (isHttpError(left)) return receiver.fail(left)
  const failures = [...responses.values()].filter((response) => response.failure)
  const isMapped = chain.mappers.length > 0 && hasMapper(chain.mappers, left)
  const failure = failures.find((response) => isAccepted(left, response, !isMapped))
  if (failure !== undefined) return receiver.respond(reply(failure.status, left))
  const message = `the Left value returned by ${name} does not match any declared failure`
  const cause = hasRestrictions(responses) ? {} : { cause: left }
  receiver.fail(isMapped ? left : new TypeError(message, cause))
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
