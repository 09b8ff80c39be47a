/** Evaluates the preconditions that an operation declares, and runs its handler if the request can proceed (step 9). */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../endpoint/context.ts'
import type { DeclaredPreconditions } from '../../endpoint/endpoint.ts'
import type { Headers } from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import { andThen, isAsync, settle } from '../../body/maybe-async.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import type { HandlerResult } from './handler-result.ts'
import { normalizeResult } from './handler-result.ts'
import { preconditionFailed } from '../response/precondition-failed.ts'
import type { ResponseValue } from '../response/encode-response.ts'
import { moveValidators } from '../response/response-headers.ts'
import { isPromise } from '../../http/platform-value.ts'

/** The part of the request state that preconditions depend on. */
interface ConditionalRequest {
  /** Headers added with `context.response.addHeader`. */
  readonly addedHeaders: Headers
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
  (addValidators: (headers: Headers) => Headers, { addedHeaders }: ConditionalRequest) =>
  (response: ResponseValue): ResponseValue =>
    Status.isSuccess(response.status)
      ? { ...response, headers: addValidators(moveValidators(response.headers, addedHeaders)) }
      : response
