/** Evaluates the preconditions that an operation declares, and runs its handler if the request can proceed (step 9). */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../endpoint/context.ts'
import type { DeclaredPreconditions } from '../../endpoint/endpoint.ts'
import type { Headers } from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import { isAsync, settle } from '../../body/maybe-async.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import type { ResultReceiver } from './handler-result.ts'
import { normalizeResult } from './handler-result.ts'
import { preconditionFailed, moveValidators } from './response-headers.ts'
import { isPromise } from '../../http/platform-value.ts'

/** Receives the result of a handler, or the response to send if a precondition fails. */
export interface RespondingRequest extends ResultReceiver {
  /** Headers added with `context.response.addHeader`. */
  readonly addedHeaders: Headers
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
  addValidators: (headers: Headers) => Headers,
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
