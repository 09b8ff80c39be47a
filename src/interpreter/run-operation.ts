/**
 * Runs a selected operation: reads the parameters (step 7) and the body (step 8), and calls the handler (step 9). `pipeline.ts` describes
 * the steps.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestFailure } from '../http/failure.ts'
import { andThen, isPromise } from '../http/platform-value.ts'
import type { RequestState } from './request-state.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import { isFailure } from './exchange.ts'
import type { PathCapture } from './routing/path-matcher.ts'
import type { NegotiatedOperation } from './routing/select-operation.ts'
import type { HandlerResult } from './handler/handler-result.ts'
import { normalizeResult, runConditionally } from './handler/handler-result.ts'
import type { HandlerInput } from './parameters/read-parameters.ts'
import type { CompiledOperation } from './program.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import { isPartial, parameterFailure, rejectsPartialPut } from './parameters/parameter-failure.ts'
import type { ReadStream } from './request-body/buffered-body.ts'
import { isReadByApplication } from './request-body/buffered-body.ts'
import { readKey, runIdempotently } from './idempotency/run-idempotently.ts'
import { failureOf } from './errors/error-response.ts'
import { logInvalidInput } from './errors/log-errors.ts'
import type { DecodedBody } from '../body/decode-body.ts'

/** Whether step 8 reads the request body. */
export const readsBody = (
  { hasUnsupportedCoding, exchange }: RequestState,
  { plan }: CompiledOperation,
): boolean =>
  plan.bodies.length > 0 &&
  !hasUnsupportedCoding &&
  !(rejectsPartialPut(plan) && isPartial(exchange.headers))

/** Reads the parameters (step 7) and starts reading the body (step 8). */
export const readInput = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation, bodyIndex } = choice
  const { settings } = state.program
  const { filters } = operation
  const { exchange } = state
  state.trace?.reach('filtered')
  if (state.hasUnsupportedCoding)
    return state.reject({
      _tag: 'UnsupportedContentCoding',
      supported: [...exchange.platform.decompressors.keys()],
    })
  const { idempotent } = operation
  const key = idempotent && readKey(exchange.headers, idempotent.rules)
  if (typeof key === 'object') return rejectInput(state, key)
  const decoded = operation.readParameters?.({ exchange, captures })
  if (decoded?._tag === 'Left') return rejectInput(state, parameterFailure(decoded.left, settings))
  const input: HandlerInput = decoded?.right ?? {}
  if (filters.needs !== undefined) input['needs'] = filters.needs(state)
  const limit = operation.bodyLimits[bodyIndex]
  if (limit === undefined) return handleInput(state, operation, input)
  // waiting for the client does not count toward the timeout
  state.deadline?.pause()
  const readStream = operation.streamReaders[bodyIndex]
  if (readStream !== undefined) return readBodyStream(state, choice, input, readStream, limit)
  exchange.readBody(limit, (body) =>
    isFailure(body) ? state.reject(body) : decodeBody(state, choice, input, body),
  )
}

/** Reads a body as a stream (step 8). */
const readBodyStream = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  readStream: ReadStream,
  limit: SizeLimit,
): void => {
  const body = state.exchange.streamBody(limit)
  if (isFailure(body)) return state.reject(body)
  const add = (value: DecodedBody): void => {
    state.deadline?.restart()
    addBody(state, choice, input, value)
  }
  const context = state.contextOf(choice.operation)
  const value = readStream(body, choice.contentType, state.exchange, context)
  if (isPromise(value)) value.then(add, (error) => state.fail(error))
  else add(value)
}

/** Decodes a buffered body (step 8). */
const decodeBody = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  body: Uint8Array,
): void => {
  const { operation, bodyIndex, contentType } = choice
  state.deadline?.restart()
  state.trace?.receive(body)
  try {
    const value = operation.bodyReaders[bodyIndex]?.(body, contentType, () =>
      state.contextOf(operation),
    )
    if (!isPromise(value)) return addBody(state, choice, input, value)
    value.then(
      (read) => {
        if (!state.isLate) addBody(state, choice, input, read)
      },
      (error) => failReading(state, choice, error),
    )
  } catch (error) {
    failReading(state, choice, error)
  }
}

/** Adds the body to the input at the end of step 8, and runs the handler. Never throws. */
const addBody = (
  state: RequestState,
  { operation, bodyIndex }: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  value: DecodedBody | undefined,
): void => {
  try {
    if (value !== undefined && E.isLeft(value)) return rejectInput(state, value.left)
    const key = isForm(operation.plan.bodies[bodyIndex]) ? 'form' : 'body'
    input[key] = value?.right
    return handleInput(state, operation, input)
  } catch (error) {
    return state.fail(error)
  }
}

const isForm = (body: BodyPlan | undefined): boolean =>
  body?.format._tag === 'Form' || body?.format._tag === 'MultipartForm'

/**
 * Responds to an error thrown while a body is read. An `HttpError` thrown by the application determines the response. For any other
 * error of the application's readers and interceptors, the request is rejected, by default with 400.
 */
const failReading = (
  state: RequestState,
  { operation: { plan }, bodyIndex }: NegotiatedOperation<CompiledOperation>,
  error: unknown,
): void => {
  const body = plan.bodies[bodyIndex]
  const failure =
    body !== undefined && isReadByApplication(plan, body) ? failureOf(error) : undefined
  if (failure === undefined) return state.fail(error)
  state.program.logger.debug({ id: state.id, err: error }, 'Failed to read the request body')
  return state.reject(failure)
}

/** Runs the handler (step 9), unless the request repeats another one. */
const handleInput = (
  state: RequestState,
  operation: CompiledOperation,
  input: HandlerInput,
): void => {
  const { idempotent } = operation
  const key = idempotent && readKey(state.exchange.headers, idempotent.rules)
  if (idempotent === undefined || typeof key !== 'string')
    return runHandler(state, operation, input)
  runIdempotently(state, idempotent, key, input, () => runHandler(state, operation, input))
}

/** Runs the handler (step 9) and continues with step 10 or 11. */
const runHandler = (
  state: RequestState,
  operation: CompiledOperation,
  input: HandlerInput,
): void => {
  const { plan } = operation
  state.trace?.reach('decoded')
  const context = state.contextOf(operation)
  const result =
    plan.preconditions === undefined
      ? andThen(plan.handler(input, context), (value) => normalizeResult(value, plan))
      : runConditionally(plan.preconditions, plan, input, context, state)
  if (isPromise(result))
    result
      .then((settled) => complete(state, settled))
      .catch((error) => {
        if (state.isLate) state.recorder?.abandon()
        state.fail(error)
      })
  else complete(state, result)
}

/** Continues with step 10 or 11. Does nothing if the deadline has passed before the handler could run. */
const complete = (state: RequestState, result: HandlerResult | undefined): void => {
  if (result === undefined || state.isLate) state.recorder?.abandon()
  if (result === undefined) return
  state.trace?.reach('handled')
  if (E.isRight(result))
    state.respond(state.operation?.encodeHeaders?.(result.right) ?? result.right)
  else state.fail(result.left)
}

/** Rejects a request because of its parameters or its body. */
export const rejectInput = (state: RequestState, failure: RequestFailure): void => {
  logInvalidInput(state, failure)
  state.reject(failure)
}
