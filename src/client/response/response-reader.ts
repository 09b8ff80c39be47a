/** From a response to an answer: which of the declared ones it is, and what is wrong with one that is none of them. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { alternativeFor } from '../../body/entity/provided.ts'
import { remember } from '../../body/memoize-header.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import type { ClientError } from '../client-error.ts'
import { isClientError } from '../client-error.ts'
import type { Entity } from './entity-reader.ts'
import { entityReaders } from './entity-reader.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from '../exchange.ts'
import {
  contentTooLarge,
  decodeError,
  readTimeout,
  transportError,
  undeclaredStatus,
} from '../error-factories.ts'
import type { BodyEnvironment } from '../body-environment.ts'
import type { ClientResponsePlan } from './response-plan.ts'
import type { Resender } from '../stream/reconnect.ts'
import { createReconnector } from '../stream/reconnect.ts'
import type { ReadStream } from './stream-reader.ts'
import { streamReader } from './stream-reader.ts'
import { cancel, readFirst, readWhole } from './read-body.ts'
import { resolveTimeLimit } from '../policy/timer.ts'
import { tooSilent } from './read-timeout.ts'
import type { WholeLimits } from './lazy-response.ts'
import { tooMany } from './lazy-response.ts'

/** A declared failure and an error of the call are on the left. */
export type Outcome = E.Either<ClientError | AnyAnswer, AnyAnswer>

export type ReadResponse = (
  response: ClientResponse,
  request: ClientRequest,
  sending?: Resender,
) => Outcome | Promise<Outcome>

/** Octets of a response that nobody declared. */
const mostUndeclared = 64 * 1024

/** Prepares the answers of an operation; `Left` with the media types for which a client has no reader. */
export const responseReader = (
  operation: OperationInfo,
  responses: ReadonlyMap<number, ClientResponsePlan>,
  environment: BodyEnvironment,
  usual: WholeLimits,
): E.Either<ReadonlyArray<string>, ReadResponse> => {
  const contents = [...responses.values()].flatMap(({ alternatives }) => alternatives)
  const reads = entityReaders(contents, environment)
  const streams = new Map(
    contents.map((one) => [one, streamReader(one, environment.usual)] as const),
  )
  const unread = contents.filter(
    (one) => reads.get(one) === undefined && streams.get(one) === undefined,
  )
  if (unread.length > 0) return E.left(unread.map(({ contentType }) => contentType))
  const isSilent = operation.method === 'HEAD'
  const readResponse: ReadResponse = (response, request, sending) => {
    const { status } = response
    const limits = limitsOf(request, usual)
    const declared = responses.get(status)
    if (declared === undefined)
      return telling(response, request, limits, (content) =>
        undeclaredStatus(operation, response, content),
      )
    const { alternatives } = declared
    if (isSilent || alternatives.length === 0 || !Status.allowsBody(status)) {
      cancel(response.body)
      return answered(declared, response, declared.emptyValue)
    }
    const stated = mediaTypeOf(response)
    const chosen = stated === undefined ? alternatives[0] : alternativeFor(stated, alternatives)
    const stream = chosen === undefined ? undefined : streams.get(chosen)
    if (stream !== undefined) {
      const again =
        sending === undefined
          ? undefined
          : createReconnector(response, request, sending, async (other) =>
              readResponse(other, request),
            )
      const { octets: limit, timeout } = limits
      const source = { operation, response, signal: request.signal, limit, timeout }
      return streamed(declared, response, stream(source, stated, again))
    }
    const read = chosen === undefined ? undefined : reads.get(chosen)
    if (read === undefined && declared.mayBeEmpty) {
      cancel(response.body)
      return answered(declared, response, undefined)
    }
    if (chosen === undefined || read === undefined)
      return telling(response, request, limits, (content) =>
        decodeError(operation, response, undeclared(stated, alternatives), content),
      )
    return readWhole(response, limits, (octets) => {
      if (E.isLeft(octets)) return E.left(unwhole(octets.left, response, request, limits))
      if (octets.right.length === 0 && stated === undefined && declared.mayBeEmpty)
        return answered(declared, response, undefined)
      const entity = read(octets.right, stated, alternatives)
      return entity instanceof Promise
        ? entity.then((one) => finished(declared, response, one))
        : finished(declared, response, entity)
    })
  }
  const finished = (
    declared: ClientResponsePlan,
    response: ClientResponse,
    entity: Entity,
  ): Outcome =>
    E.isLeft(entity)
      ? E.left(decodeError(operation, response, entity.left))
      : answered(declared, response, entity.right)
  return E.right(readResponse)
}

const answered = (
  { failure }: ClientResponsePlan,
  response: ClientResponse,
  value: unknown,
): Outcome => (failure ? E.left(answerOf(response, value)) : E.right(answerOf(response, value)))

/** The limits of a call, which may say its own. */
const limitsOf = ({ timeout }: ClientRequest, usual: WholeLimits): WholeLimits =>
  timeout === undefined ? usual : { ...usual, timeout: resolveTimeLimit(timeout, usual.timeout) }

/** Why a content was not read to its end. */
const unwhole = (
  error: unknown,
  response: ClientResponse,
  { operation, signal }: ClientRequest,
  { octets, timeout }: WholeLimits,
): ClientError => {
  if (error === tooMany) return contentTooLarge(operation, response, octets)
  if (error === tooSilent && timeout !== undefined) return readTimeout(operation, timeout.text)
  return transportError(operation, error, signal)
}

const lenient = new TextDecoder()

/** What a response comes to that says something of its own: as much of it as came, unless the call itself was ended. */
const telling = async (
  response: ClientResponse,
  request: ClientRequest,
  { timeout }: WholeLimits,
  told: (content: string) => ClientError,
): Promise<Outcome> => {
  const limits = { octets: mostUndeclared, timeout }
  const { octets, error } = await readFirst(response.body, limits)
  return E.left(
    request.signal?.aborted === true || error === tooSilent || isClientError(error)
      ? unwhole(error, response, request, limits)
      : told(lenient.decode(octets)),
  )
}

const streamed = async (
  declared: ClientResponsePlan,
  response: ClientResponse,
  opened: ReturnType<ReadStream>,
): Promise<Outcome> => {
  const value = await opened
  return E.isLeft(value) ? value : answered(declared, response, value.right)
}

const answerOf = ({ status, headers, url }: ClientResponse, body: unknown): AnyAnswer =>
  Object.freeze({ status, headers, body, url })

/** What the response says; one that cannot be read counts as none. */
const mediaTypeOf = ({ headers }: ClientResponse): MediaType.MediaType | undefined =>
  parsed(Headers.first(headers, 'content-type'))

/** Services repeat themselves. */
const parsed = remember((text): MediaType.MediaType | undefined =>
  text === undefined ? undefined : O.toUndefined(MediaType.parse(text)),
)

/** A media type that no declared representation has, or one that is only written. */
const undeclared = (
  stated: MediaType.MediaType | undefined,
  alternatives: ClientResponsePlan['alternatives'],
): RequestFailure => ({
  _tag: 'InvalidInput',
  errors: [
    {
      in: 'body',
      pointer: '#',
      detail: `is ${stated === undefined ? 'of no media type' : MediaType.format(stated)}, and is read as ${alternatives.map(({ contentType }) => contentType).join(', ')}`,
    },
  ],
  more: false,
})
