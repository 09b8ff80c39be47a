/** Reads and decodes the body of a request (step 8 of the pipeline). */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestFailure } from '../http/failure.ts'
import { isPromise } from '../http/platform-value.ts'
import type { RequestState } from './request-state.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import { isFailure } from './exchange.ts'
import type { NegotiatedOperation } from './routing/select-operation.ts'
import type { HandlerInput } from './parameters/read-parameters.ts'
import type { CompiledOperation } from './program.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import { isPartial, rejectsPartialPut } from './parameters/parameter-failure.ts'
import type { ReadStream } from './request-body/buffered-body.ts'
import { isReadByApplication } from './request-body/buffered-body.ts'
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

/** Reads the body (step 8), adds it to the input, and calls `then`. Rejects the request if the body is invalid. */
export const readRequestBody = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  limit: SizeLimit,
  then: () => void,
): void => {
  // waiting for the client does not count toward the timeout
  state.deadline?.pause()
  const readStream = choice.operation.streamReaders[choice.bodyIndex]
  if (readStream !== undefined) return readBodyStream(state, choice, input, readStream, limit, then)
  state.exchange.readBody(limit, (body) =>
    isFailure(body) ? state.reject(body) : decodeBody(state, choice, input, body, then),
  )
}

/** Reads a body as a stream. */
const readBodyStream = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  readStream: ReadStream,
  limit: SizeLimit,
  then: () => void,
): void => {
  const body = state.exchange.streamBody(limit)
  if (isFailure(body)) return state.reject(body)
  const add = (value: DecodedBody): void => {
    state.deadline?.restart()
    addBody(state, choice, input, value, then)
  }
  const context = state.contextOf(choice.operation)
  const value = readStream(body, choice.contentType, state.exchange, context)
  if (isPromise(value)) value.then(add, (error) => state.fail(error))
  else add(value)
}

/** Decodes a buffered body. */
const decodeBody = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  body: Uint8Array,
  then: () => void,
): void => {
  const { operation, bodyIndex, contentType } = choice
  state.deadline?.restart()
  state.trace?.receive(body)
  try {
    const value = operation.bodyReaders[bodyIndex]?.(body, contentType, () =>
      state.contextOf(operation),
    )
    if (!isPromise(value)) return addBody(state, choice, input, value, then)
    value.then(
      (read) => {
        if (!state.isLate) addBody(state, choice, input, read, then)
      },
      (error) => failReading(state, choice, error),
    )
  } catch (error) {
    failReading(state, choice, error)
  }
}

/** Adds the body to the input, and calls `then`. Never throws. */
const addBody = (
  state: RequestState,
  { operation, bodyIndex }: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  value: DecodedBody | undefined,
  then: () => void,
): void => {
  try {
    if (value !== undefined && E.isLeft(value)) return rejectInput(state, value.left)
    const key = isForm(operation.plan.bodies[bodyIndex]) ? 'form' : 'body'
    input[key] = value?.right
    return then()
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

/** Rejects a request because of its parameters or its body. */
export const rejectInput = (state: RequestState, failure: RequestFailure): void => {
  logInvalidInput(state, failure)
  state.reject(failure)
}
