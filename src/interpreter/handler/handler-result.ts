/**
 * Normalizes the result of a handler, and evaluates the preconditions before it runs (step 9). A handler returns a value, a reply, an
 * `Either` or an error, or a promise or `Task` of one of these.
 */
import * as E from 'fp-ts/lib/Either.js'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply, reply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import { findMapper } from '../errors/error-mapping.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { bodyFormat, describes } from '../../body/body-formats.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { ResponseValue } from '../response/encode-response.ts'
import { isObject, isPromise, andThen, isAsync, settle } from '../../http/platform-value.ts'
import type { Context } from '../../endpoint/context.ts'
import type { DeclaredPreconditions } from '../../endpoint/endpoint.ts'
import * as Status from '../../http/status.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import { preconditionFailed, moveValidators } from '../response/response-headers.ts'

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
  if (isObject(value) && '_tag' in value) {
    if (isReply(value)) return E.right(value)
    if (isHttpError(value)) return E.left(value)
  }
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

/** The part of the request state that preconditions depend on. */
interface ConditionalRequest {
  /** Headers added with `context.response.addHeader`. */
  readonly addedHeaders: Headers.Headers
  /** Whether the deadline has passed. If so, the response has already been sent. */
  readonly isLate: boolean
}

/**
 * Runs the handler if the preconditions of the operation hold. Returns the result of the handler, or a response with 304 or 412.
 * Returns `undefined` without running the handler if the deadline has passed. Throws the synchronous errors of the handler and of
 * the functions that compute the validators.
 */
export const runConditionally = (
  preconditions: DeclaredPreconditions,
  plan: Plan,
  input: HandlerInput,
  context: Context,
  request: ConditionalRequest,
): HandlerResult | undefined | Promise<HandlerResult | undefined> => {
  const proceed = (
    results: ReadonlyArray<unknown>,
  ): HandlerResult | undefined | Promise<HandlerResult> => {
    if (request.isLate) return undefined
    const evaluated = preconditions.evaluate(results, context)
    if (E.isLeft(evaluated)) {
      const { status, headers } = evaluated.left
      return status === 412 ? E.left(preconditionFailed(headers)) : E.right(evaluated.left)
    }
    return andThen(plan.handler(input, context), (value) =>
      E.map(withValidators(evaluated.right, request))(normalizeResult(value, plan)),
    )
  }
  const results = computeValidators(preconditions, input, context)
  return isPromise(results) ? results.then(proceed) : proceed(results)
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

/** Returns a function that adds validators to successful responses. */
const withValidators =
  (
    addValidators: (headers: Headers.Headers) => Headers.Headers,
    { addedHeaders }: ConditionalRequest,
  ) =>
  (response: ResponseValue): ResponseValue =>
    Status.isSuccess(response.status)
      ? { ...response, headers: addValidators(moveValidators(response.headers, addedHeaders)) }
      : response
