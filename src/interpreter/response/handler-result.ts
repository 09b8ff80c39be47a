/**
 * Evaluates the preconditions that an operation declares, and normalizes the result of its handler (step 9). A handler returns a value, a
 * reply, an `Either` or an error, or a promise or `Task` of one of these.
 */
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply, reply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import { isAsync, whenSettled, settle } from '../../body/maybe-async.ts'
import { findMapper } from '../errors/find-mapper.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { bodyFormat, describes } from '../../body/body-formats.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { ResponseValue } from './encode-response.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../endpoint/context.ts'
import type { DeclaredPreconditions } from '../../endpoint/endpoint.ts'
import * as Status from '../../http/status.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import { preconditionFailed, moveValidators } from './response-headers.ts'
import { isPromise } from '../../http/platform-value.ts'

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

/** Receives the result of a handler, or the response to send if a precondition fails. */
export interface RespondingRequest extends ResultReceiver {
  /** Headers added with `context.response.addHeader`. */
  readonly addedHeaders: Headers.Headers
  /** Whether the deadline has passed. If so, the response has already been sent. */
  readonly isLate: boolean
}

/**
 * Computes the validators and evaluates the preconditions. Then either runs the handler, or responds with 304 or 412. Throws the
 * synchronous errors of the handler and of the functions that compute the validators.
 */
export const runConditionally = (
  preconditions: DeclaredPreconditions,
  plan: Plan,
  input: HandlerInput,
  context: Context,
  request: RespondingRequest,
): void => {
  const proceed = (results: ReadonlyArray<unknown>): void => {
    if (request.isLate) return
    const evaluated = preconditions.evaluate(results, context)
    if (E.isLeft(evaluated)) {
      const { status, headers } = evaluated.left
      return status === 412
        ? request.fail(preconditionFailed(headers))
        : request.respond(evaluated.left)
    }
    normalizeResult(plan.handler(input, context), plan, withValidators(evaluated.right, request))
  }
  const results = computeValidators(preconditions, input, context)
  if (isPromise(results)) results.then(proceed).catch((error) => request.fail(error))
  else proceed(results)
}

/** Calls the functions that compute validators. Functions after an asynchronous one run concurrently with it. */
const computeValidators = (
  { compute }: DeclaredPreconditions,
  input: HandlerInput,
  context: Context,
): ReadonlyArray<unknown> | Promise<ReadonlyArray<unknown>> => {
  const results: unknown[] = []
  for (const [index, run] of compute.entries()) {
    const result = run(input, context)
    if (isAsync(result))
      return Promise.all([
        ...results,
        settle(result),
        // these errors reject the promise instead of being thrown, so a rejection of `result` is always handled
        ...compute.slice(index + 1).map(async (later) => settle(later(input, context))),
      ])
    results.push(result)
  }
  return results
}

/** Returns a receiver that adds validators to successful responses. */
const withValidators = (
  addValidators: (headers: Headers.Headers) => Headers.Headers,
  request: RespondingRequest,
): ResultReceiver => ({
  respond: (response) =>
    request.respond(
      Status.isSuccess(response.status)
        ? {
            ...response,
            headers: addValidators(moveValidators(response.headers, request.addedHeaders)),
          }
        : response,
    ),
  fail: (error) => request.fail(error),
})
