/**
 * Decodes responses. Selects the declared response and its representation, and creates errors for unexpected responses.
 */
import { charsetsOf, selectByMediaType } from '../../body/body-plan.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import { malformedBody } from '../../body/decode-body.ts'
import type { RequestFailure, ValidationError } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { decodedFailure, decodedResponse, withHeaderValues } from '../decoded-response.ts'
import type { ClientError, ProblemDetails } from '../client-error.ts'
import { isClientError } from '../client-error.ts'
import type { entityReaders } from './buffered-response.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from '../exchange.ts'
import {
  responseTooLarge,
  decodeError,
  isProblem,
  problemIn,
  readTimeout,
  transportError,
  undeclaredStatus,
} from '../error-factories.ts'
import type { BodyEnvironment } from '../request/body-writer.ts'
import type { ClientResponsePlan } from '../response-plan.ts'
import type { createReconnector, Resender } from '../stream/event-stream.ts'
import type { TextSupport } from './plain-reader.ts'
import { catchErrors, plainReader } from './plain-reader.ts'
import type { streamReader } from './streamed-response.ts'
import { cancel, readBody, idleTooLong, tooLarge } from '../receive-body.ts'
import { resolveTimeLimit } from '../timer.ts'
import type { BodyLimits } from '../receive-body.ts'

/** Result of a call. Both declared failures and client errors are represented by a `Left`. */
export type CallResult = E.Either<ClientError | AnyDecodedResponse, AnyDecodedResponse>

/** Decodes a response. `resender` is used to reconnect to event streams. */
export type ReadResponse = (
  response: ClientResponse,
  request: ClientRequest,
  resender?: Resender,
) => Promise<CallResult>

/** Maximum number of bytes to read from the body of an unexpected response. */
const maxUndeclaredBytes = 64 * 1024

/** Functions that read streams, multipart bodies and bodies that are not plain. */
export interface FurtherResponses {
  readonly entityReaders: typeof entityReaders
  readonly streamReader: typeof streamReader
  readonly createReconnector: typeof createReconnector
  readonly text: TextSupport
}

/**
 * Creates the function that decodes the responses of an operation. `further` is required for representations other than JSON, text and
 * bytes, and for reader interceptors. `load` returns it for bodies in charsets other than UTF-8.
 */
export const responseReader = (
  operation: OperationInfo,
  responses: ReadonlyMap<number, ClientResponsePlan>,
  environment: BodyEnvironment,
  defaultLimits: BodyLimits,
  load: () => Promise<FurtherResponses>,
  further?: FurtherResponses,
): ReadResponse => {
  const { jsonSettings } = environment
  const loadText = async (): Promise<TextSupport> => (await load()).text
  const plans = [...responses.values()].flatMap(({ alternatives }) => alternatives)
  const readers =
    further?.entityReaders(plans, environment) ??
    new Map(
      plans.map((plan) => [plan, catchErrors(plainReader(plan, jsonSettings, loadText))] as const),
    )
  const streamReaders = new Map(
    plans.map((plan) => [plan, further?.streamReader(plan, jsonSettings)] as const),
  )
  const isHead = operation.method === 'HEAD'
  const readResponse: ReadResponse = async (response, request, resender) => {
    const { status } = response
    const limits = limitsOf(request, defaultLimits)
    const declared = responses.get(status)
    if (declared === undefined)
      return readUnexpected(response, request, limits, (bytes) =>
        E.left(undeclaredStatus(operation, response, bytes)),
      )
    const { alternatives } = declared
    if (isHead || alternatives.length === 0 || !Status.allowsBody(status))
      return isHead || !declared.failure || !isProblem(response)
        ? withoutBody(declared, response, declared.emptyValue)
        : readProblem(declared, response, request, limits)
    const mediaType = mediaTypeOf(response)
    const selected =
      mediaType === undefined
        ? alternatives[0]
        : selectRepresentation(mediaType, response, alternatives)
    if (response.codingError !== undefined && selected !== undefined && isUnchecked(selected)) {
      cancel(response.body)
      return E.left(decodeError(operation, response, malformedBody(response.codingError)))
    }
    const readStream = selected === undefined ? undefined : streamReaders.get(selected)
    if (readStream !== undefined) {
      const reconnector =
        resender === undefined
          ? undefined
          : further?.createReconnector(response, request, resender, (next) =>
              readResponse(next, request),
            )
      const { maxBytes: limit, timeout } = limits
      const source = { operation, response, signal: request.signal, limit, timeout }
      const body = await readStream(source, mediaType, reconnector)
      return E.isLeft(body) ? body : toResult(declared, response, body.right)
    }
    const read = selected === undefined ? undefined : readers.get(selected)
    if (read === undefined && declared.mayBeEmpty)
      return declared.failure && isProblem(response)
        ? readProblem(declared, response, request, limits)
        : withoutBody(declared, response, undefined)
    if (selected === undefined || read === undefined)
      return readUnexpected(response, request, limits, (bytes) =>
        E.left(
          decodeError(
            operation,
            { status, headers: response.headers },
            unexpectedMediaType(mediaType, alternatives),
            problemIn(response, bytes),
          ),
        ),
      )
    const { bytes, error } = await readBody(response, limits)
    if (error !== undefined) return E.left(bodyError(error, response, request, limits))
    if (bytes.length === 0 && mediaType === undefined && declared.mayBeEmpty)
      return toResult(declared, response, undefined)
    const entity = await read(bytes, mediaType, alternatives)
    if (E.isRight(entity) && !declared.failure) return toResult(declared, response, entity.right)
    const problem = problemIn(response, bytes)
    return E.isLeft(entity)
      ? E.left(decodeError(operation, response, entity.left, problem))
      : toResult(declared, response, entity.right, problem)
  }
  return [...responses.values()].some(({ headers }) => headers.length > 0)
    ? readWithHeaders(operation, responses, readResponse)
    : readResponse
}

/**
 * Adds the decoded values of declared headers to results. An invalid header is an error, except in a failure, which a server or a filter
 * can send without the headers.
 */
const readWithHeaders =
  (
    operation: OperationInfo,
    responses: ReadonlyMap<number, ClientResponsePlan>,
    read: ReadResponse,
  ): ReadResponse =>
  async (response, request, resender) => {
    const { failure = true, headers = [] } = responses.get(response.status) ?? {}
    const values = new Map<string, unknown>()
    const errors: ValidationError[] = []
    for (const { key, name, decode } of headers) {
      const value = decode(Headers.all(response.headers, name.toLowerCase()))
      if (E.isRight(value)) values.set(key, value.right)
      else errors.push({ in: 'header', name, detail: value.left })
    }
    if (errors.length > 0 && !failure) {
      cancel(response.body)
      return E.left(decodeError(operation, response, Failures.ofErrors('InvalidInput', errors)))
    }
    const result = await read(response, request, resender)
    const value = E.isLeft(result) ? result.left : result.right
    if (isClientError(value)) return result
    const decoded = withHeaderValues(value, Object.fromEntries(values))
    return E.isLeft(result) ? E.left(decoded) : E.right(decoded)
  }

/** Whether any bytes are valid in the format. In other formats, a body that is still encoded is most probably invalid. */
const isUnchecked = ({ format }: BodyPlan): boolean => charsetsOf(format) === 'binary'

/** Returns the representation for a media type. If several differ only in language, `Content-Language` selects one of them. */
const selectRepresentation = (
  mediaType: MediaType.MediaType,
  { headers }: ClientResponse,
  alternatives: ReadonlyArray<BodyPlan>,
): BodyPlan | undefined => {
  const selected = selectByMediaType(mediaType, alternatives)
  if (alternatives.every(({ language }) => language === undefined)) return selected
  const tag = Headers.first(headers, 'content-language')?.toLowerCase()
  const inLanguage = alternatives.filter(({ language }) => language?.toLowerCase() === tag)
  return selectByMediaType(mediaType, inLanguage) ?? selected
}

const toResult = (
  { failure }: ClientResponsePlan,
  response: ClientResponse,
  body: unknown,
  problem?: ProblemDetails,
): CallResult =>
  failure
    ? E.left(decodedFailure(response, body, problem))
    : E.right(decodedResponse(response, body))

/** Returns the result for a response whose body is not read. */
const withoutBody = (
  declared: ClientResponsePlan,
  response: ClientResponse,
  body: null | undefined,
): CallResult => {
  cancel(response.body)
  return toResult(declared, response, body)
}

/** Returns the failure for a problem document in a response without a declared body. */
const readProblem = (
  declared: ClientResponsePlan,
  response: ClientResponse,
  request: ClientRequest,
  limits: BodyLimits,
): Promise<CallResult> =>
  readUnexpected(response, request, limits, (bytes) =>
    toResult(declared, response, undefined, problemIn(response, bytes)),
  )

/** Returns the limits for a response. The `timeout` of the request overrides the default `timeout`. */
const limitsOf = ({ timeout }: ClientRequest, defaults: BodyLimits): BodyLimits =>
  timeout === undefined
    ? defaults
    : { ...defaults, timeout: resolveTimeLimit(timeout, defaults.timeout) }

/** Creates the error for a body that could not be read completely. */
const bodyError = (
  error: unknown,
  response: ClientResponse,
  { operation, signal }: ClientRequest,
  { maxBytes, timeout }: BodyLimits,
): ClientError => {
  if (error === tooLarge) return responseTooLarge(operation, response, maxBytes)
  if (error === idleTooLong && timeout !== undefined) return readTimeout(operation, timeout.text)
  return transportError(operation, error, signal)
}

/**
 * Reads the beginning of the body of a response without a declared body, and creates the result. If the connection
 * fails, the result contains the data that arrived before the failure.
 */
const readUnexpected = async (
  response: ClientResponse,
  request: ClientRequest,
  { timeout }: BodyLimits,
  create: (bytes: Uint8Array) => CallResult,
): Promise<CallResult> => {
  const limits = { maxBytes: maxUndeclaredBytes - 1, timeout }
  const read = await readBody(response, limits)
  const error = read.error === tooLarge ? undefined : read.error
  const length = response.codingError === undefined ? maxUndeclaredBytes : 0
  return request.signal?.aborted === true || error === idleTooLong || isClientError(error)
    ? E.left(bodyError(error, response, request, limits))
    : create(read.bytes.subarray(0, length))
}

/** Returns the media type of a response, or `undefined` if the `Content-Type` header is missing or invalid. */
const mediaTypeOf = ({ headers }: ClientResponse): MediaType.MediaType | undefined =>
  parseContentType(Headers.first(headers, 'content-type'))

/** Parses a `Content-Type` header. Results are memoized, because a service uses only a few media types. */
const parseContentType = Headers.memoizeHeader((text): MediaType.MediaType | undefined =>
  text === undefined ? undefined : O.toUndefined(MediaType.parse(text)),
)

const unexpectedMediaType = (
  mediaType: MediaType.MediaType | undefined,
  alternatives: ClientResponsePlan['alternatives'],
): RequestFailure => {
  const expected = alternatives.map(({ contentType }) => contentType).join(', ')
  const actual = mediaType === undefined ? 'no valid media type' : MediaType.format(mediaType)
  return malformedBody(`must be ${expected}, got ${actual}`)
}
