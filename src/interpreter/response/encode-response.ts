/**
 * Encodes response values: selects the representation that the client prefers and completes the headers.
 *
 * A reply from a filter or an error mapper without a declared representation is encoded by its type: a string as `text/plain`, a byte
 * array as `application/octet-stream`, and any other entity as JSON.
 */
import type { RequestInfo, ResponseRecorder } from '../request-info.ts'
import type { CompressResponse } from './compress-response.ts'
import * as Headers from '../../http/headers.ts'
import type { DeferredResponse, WriteContext } from './write-body.ts'
import { isChunkSource, keepUntilSent, observeChunks, wrapChunks } from '../exchange.ts'
import type { EncodedResponse } from '../exchange.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import * as Status from '../../http/status.ts'
import type { EntityProviders } from '../../body/entity-plan.ts'
import { noProviders } from '../../body/entity-plan.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import {
  locationResolver,
  noSniff,
  removeBodyHeaders,
  sanitizeHeaders,
  withAddedHeaders,
} from './response-headers.ts'
import type { WrapWriter } from './intercept-body.ts'
import { bodyInterception } from './intercept-body.ts'
import type { ChooseWriter, TypedWriter } from './choose-writer.ts'
import { chooseWriter, isProblemPlan, languageHeaders } from './choose-writer.ts'
import { varyingHeaders } from '../routing/select-representation.ts'
import type { DeclaredResponse } from '../../endpoint/endpoint.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import { isBytes } from '../../http/platform-value.ts'
import { encodeFor } from '../../body/charset.ts'
import { responsesByStatus } from '../../body/create-body-plans.ts'

/**
 * Sets the length of a stream to the value of the `Content-Length` header in a reply. A body of known length, such as a file, is
 * not changed.
 */
const enforceContentLength = (
  deferred: DeferredResponse,
  headers: Headers.Headers,
): DeferredResponse => {
  const length = contentLengthOf(headers)
  if (length === undefined) return deferred
  return async (head, exchange) => {
    const response = await deferred(head, exchange)
    const { body } = response
    if (!isChunkSource(body) || body.length !== undefined) return response
    return { ...response, body: wrapChunks(body, { length }) }
  }
}

/** Returns the value of `Content-Length`, or `undefined` if the header is missing or its value is not a number. */
const contentLengthOf = (headers: Headers.Headers): number | undefined => {
  const text = headers.length === 0 ? undefined : Headers.first(headers, 'content-length')
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** A response before it is encoded: a reply, or a handler result with a status. */
export type ResponseValue = Pick<AnyReply, 'status' | 'entity' | 'headers'> & {
  /** The declared status whose representations are used if `status` is not declared. */
  readonly declaredStatus?: number
}

/**
 * Encodes a response value.
 *
 * The result is asynchronous if the body is a stream or a file, if an `ETag` is computed, or if the application's writers or
 * interceptors run.
 */
export interface EncodeResponse {
  (response: ResponseValue, context: WriteContext): EncodedResponse | Promise<EncodedResponse>
  /** The responses that a filter or mapper declares, by status. `undefined` if no responses are declared. */
  readonly responses?: ReadonlyMap<number, ResponsePlan>
}

/** The part of a plan that describes responses. */
export type ResponsePlans = Pick<Plan, 'name' | 'headers' | 'cacheControl' | 'responses'>

/** The parts of a response with a given status that do not depend on the request. */
interface PreparedStatus {
  /** The writer for bodies, or a function that selects it. `undefined` if responses have no body. */
  readonly writer: TypedWriter | ChooseWriter | undefined
  /** The declaration with this status, if it has no body. */
  readonly bodiless: ResponsePlan | undefined
  /** The headers that all responses with this status have in common. */
  readonly headers: Headers.Headers
  /** A copy of `headers` without `Cache-Control`, for replies that set this header themselves. */
  readonly uncached: Headers.Headers
}

/**
 * Returns the encoder for the responses in a plan.
 *
 * `offers` lists all representations that can be selected by the `Accept` header. The encoder throws a `TypeError` if the status is
 * not declared. The only exception is a status that does not allow a body, such as 204, if the response has no body.
 */
export const responseEncoder = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
  entities: EntityProviders = noProviders,
): EncodeResponse => {
  const preparedFor = prepareStatuses(plan, settings, offers, entities)
  const resolveLocation = locationResolver(settings)
  return ({ status, entity, headers, declaredStatus }, context) => {
    const { exchange } = context
    const prepared = preparedFor(status, declaredStatus)
    const chosen =
      entity === undefined
        ? undefined
        : typeof prepared.writer === 'function'
          ? prepared.writer(exchange.headers)
          : prepared.writer
    if (entity !== undefined && entity !== null && prepared.bodiless !== undefined)
      throw undeclaredBody(plan, prepared.bodiless)
    // most replies set no headers
    const ownHeaders =
      headers.length > 0
        ? resolveLocation(removeBodyHeaders(status, sanitizeHeaders(headers)), exchange)
        : headers
    const ownType = ownHeaders.length > 0 ? Headers.first(ownHeaders, 'content-type') : undefined
    const writer =
      ownType === undefined && chosen?.isTyped === true ? chosen : chosen?.forReply(ownType)
    const body = writer?.write(entity, context)
    const allHeaders =
      headers.length > 0
        ? combineHeaders(prepared, writer, ownHeaders)
        : writer === undefined
          ? prepared.headers
          : writer.headers
    return typeof body === 'function'
      ? enforceContentLength(body, headers)({ status, headers: allHeaders }, exchange)
      : { status, headers: allHeaders, body }
  }
}

/** Combines the prepared headers with the headers from a reply. */
const combineHeaders = (
  { headers, uncached }: PreparedStatus,
  writer: TypedWriter | undefined,
  ownHeaders: Headers.Headers,
): Headers.Headers => {
  const isUnset = (name: string): boolean => Headers.first(ownHeaders, name) === undefined
  const language = isUnset('content-language') ? writer?.language : undefined
  return sanitizeHeaders([
    ...(writer === undefined ? [] : ['Content-Type', writer.contentType]),
    ...languageHeaders(language),
    ...(isUnset('cache-control') ? headers : uncached),
    ...ownHeaders,
  ])
}

const prepareStatuses = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
  entities: EntityProviders,
): ((status: number, declaredStatus: number | undefined) => PreparedStatus) => {
  const declared = [...plan.responses.values()]
  const intercept = bodyInterception(
    declared.flatMap(({ alternatives }) => alternatives),
    entities,
    settings,
  )
  const create = (response: ResponsePlan): PreparedStatus =>
    prepare(plan, response, offers, settings, intercept)
  const prepared = new Map(declared.map((response) => [response.status, create(response)]))
  return (status, declaredStatus) => {
    const known = prepared.get(status)
    if (known !== undefined) return known
    if (declaredStatus === undefined && Status.allowsBody(status))
      throw undeclaredStatus(plan.name, status)
    const { alternatives = [] } = plan.responses.get(declaredStatus ?? status) ?? {}
    return create({ status, failure: false, alternatives })
  }
}

const prepare = (
  plan: ResponsePlans,
  response: ResponsePlan,
  offers: ReadonlyArray<BodyPlan>,
  settings: Settings,
  intercept: WrapWriter,
): PreparedStatus => {
  const { status, alternatives } = response
  const names = new Set([...varyingHeaders(offers), ...varyingHeaders(alternatives)])
  const vary = names.size === 0 ? [] : ['Vary', [...names].join(', ')]
  const isProblem = alternatives.some(isProblemPlan)
  const uncached = [
    ...removeBodyHeaders(status, sanitizeHeaders([...plan.headers, ...(isProblem ? noSniff : [])])),
    ...vary,
  ]
  const isCacheable = Status.isSuccess(status) || status === 304
  const cacheControl = isCacheable ? plan.cacheControl : isProblem ? 'no-store' : undefined
  const headers =
    cacheControl === undefined ? uncached : [...uncached, 'Cache-Control', cacheControl]
  return {
    writer:
      alternatives.length > 0 && Status.allowsBody(status)
        ? chooseWriter(plan.name, response, headers, settings, intercept)
        : undefined,
    bodiless: alternatives.length === 0 ? response : undefined,
    headers,
    uncached,
  }
}

/** Creates the error for a response with a body if the status is declared without one. */
const undeclaredBody = (
  { name, responses }: ResponsePlans,
  { status, failure }: ResponsePlan,
): TypeError => {
  const hasBodies = [...responses.values()].some(
    (response) => !response.failure && response.alternatives.length > 0,
  )
  const remedy = !Status.allowsBody(status)
    ? `add produces(…)${hasBodies ? ', or return a reply with another status' : ''}`
    : failure
      ? `declare it with fails(${status}, …)`
      : `add produces(…), or declare it with responds(${status}, …)`
  return new TypeError(
    `${name} returned a value with status ${status}, but no response body is declared: ${remedy}`,
  )
}

/** Creates the error for a response with a status that the operation does not declare. */
export const undeclaredStatus = (name: string, status: number): TypeError =>
  new TypeError(
    `${name} returned undeclared status ${status}: declare it with responds(${status}) or fails(${status})`,
  )

/** Returns the encoder for replies that have no declared representation. It throws a `RangeError` if the status code is invalid. */
export const undeclaredEncoder = (
  settings: Settings,
  entities: EntityProviders = noProviders,
): EncodeResponse => {
  const resolveLocation = locationResolver(settings)
  const write = bodyInterception([], entities, settings)(undefined, encodeEntity)
  return ({ status, entity, headers }, context) => {
    if (!Status.isStatus(status)) throw new RangeError(`invalid status code: ${status}`)
    const { exchange } = context
    const ownHeaders = removeBodyHeaders(
      status,
      sanitizeHeaders(resolveLocation(headers, exchange)),
    )
    if (entity === undefined || !Status.allowsBody(status))
      return { status, headers: ownHeaders, body: undefined }
    const ownType = Headers.first(ownHeaders, 'content-type')
    const allHeaders =
      ownType === undefined ? ['Content-Type', defaultType(entity), ...ownHeaders] : ownHeaders
    const body = write(entity, context)
    if (typeof body === 'function') return body({ status, headers: allHeaders }, exchange)
    return {
      status,
      headers: allHeaders,
      body: typeof body === 'string' && ownType !== undefined ? encodeFor(ownType, body) : body,
    }
  }
}

/** Returns the encoder for replies from a filter or mapper. `responses` are the responses declared by the filter or mapper. */
export const declaredEncoder = (
  responses: ReadonlyArray<DeclaredResponse>,
  settings: Settings,
  entities: EntityProviders,
): EncodeResponse => {
  const encodeUndeclared = undeclaredEncoder(settings, entities)
  if (responses.length === 0) return encodeUndeclared
  const declared = responsesByStatus(responses, entities)
  const plan = {
    name: 'a filter or mapper',
    headers: [],
    cacheControl: undefined,
    responses: declared,
  }
  const encodeDeclared = responseEncoder(plan, settings, [], entities)
  const encode: EncodeResponse = (response, context) =>
    (declared.has(response.declaredStatus ?? response.status) ? encodeDeclared : encodeUndeclared)(
      response,
      context,
    )
  return Object.assign(encode, { responses: declared })
}

const defaultType = (entity: unknown): string =>
  typeof entity === 'string'
    ? 'text/plain;charset=UTF-8'
    : isBytes(entity)
      ? 'application/octet-stream'
      : 'application/json'

const encodeEntity = (entity: unknown): string | Uint8Array =>
  typeof entity === 'string' || isBytes(entity) ? entity : JSON.stringify(unwrapHal(entity))

/** The members of the request state that {@link finishResponse} uses. */
interface RespondingRequest extends RequestInfo {
  readonly addedHeaders: Headers.Headers
  /** Stores the response, so that it can be sent again. `undefined` if the response is not stored. */
  recorder: ResponseRecorder | undefined
}

/**
 * Finishes a response. If it must be stored, this is done before the headers of this request are added. `error` is the error that led to
 * the response, if any.
 */
export const finishResponse = (
  response: EncodedResponse,
  state: RespondingRequest,
  compress: CompressResponse | undefined,
  error: unknown,
): EncodedResponse | Promise<EncodedResponse> => {
  const observed = isChunkSource(response.body)
    ? {
        ...response,
        body: observeChunks(response.body, (cause) => logBrokenResponse(state, cause)),
      }
    : response
  const { recorder } = state
  if (recorder === undefined) return addAndCompress(observed, state, compress)
  state.recorder = undefined
  keepUntilSent(observed, state.exchange)
  return recorder.record(observed, error).then(() => addAndCompress(observed, state, compress))
}

const addAndCompress = (
  response: EncodedResponse,
  { addedHeaders, exchange }: RespondingRequest,
  compress: CompressResponse | undefined,
): EncodedResponse | Promise<EncodedResponse> => {
  const complete = addedHeaders.length === 0 ? response : withAddedHeaders(response, addedHeaders)
  if (compress === undefined) return complete
  const compressed = compress(complete, exchange)
  if ('then' in compressed) keepUntilSent(complete, exchange)
  return compressed
}

/** Logs an error that interrupted the body of a response. The level is `error`, or `debug` if the client has disconnected. */
const logBrokenResponse = ({ program, exchange, id }: RequestInfo, error: unknown): void =>
  program.logger[exchange.signal().aborted ? 'debug' : 'error'](
    { id, err: error },
    `Response to ${exchange.path} was interrupted, error ID: ${id}`,
  )
