/** From a response to an answer: which of the declared ones it is, and what is wrong with one that is none of them. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { compiled } from '../codec/compiled/compiled.ts'
import { seen } from '../codec/seen.ts'
import type { ContentPlan } from '../content/content-plan.ts'
import type { Entities } from '../content/entities.ts'
import { alternativeFor, codecOf } from '../content/provided.ts'
import { remember } from '../content/remember.ts'
import { decoded, unreadable } from '../content/reading.ts'
import type { Context } from '../endpoint/context.ts'
import type { ReadingChange } from '../endpoint/interceptor.ts'
import type { Reading } from '../endpoint/reader.ts'
import type { Failure } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as MediaType from '../http/media-type.ts'
import * as Status from '../http/status.ts'
import type { AnyAnswer } from './answer.ts'
import { usual } from './body-writer.ts'
import type { ClientError } from './client-error.ts'
import { isClientError } from './client-error.ts'
import { contentReader } from './content-reader.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from './exchange.ts'
import * as Failing from './failing.ts'
import { intercepted, settled } from './intercepted.ts'
import type { AnswerPlan } from './operation.ts'
import type { Sending } from './stream/returning.ts'
import { returning } from './stream/returning.ts'
import { streamReader } from './stream-reader.ts'
import { cancel, readFirst, readWhole, tooMany } from './read-whole.ts'

/** A declared failure and an error of the call are on the left. */
export type Outcome = E.Either<ClientError | AnyAnswer, AnyAnswer>

export type ReadResponse = (
  response: ClientResponse,
  request: ClientRequest,
  sending?: Sending,
) => Promise<Outcome>

/** Octets of a response that nobody declared. */
const mostUndeclared = 64 * 1024

/** Prepares the answers of an operation; `Left` with the media types for which a client has no reader. */
export const responseReader = (
  operation: OperationInfo,
  responses: ReadonlyMap<number, AnswerPlan>,
  entities: Entities,
  context: Context,
  limit: number,
): E.Either<ReadonlyArray<string>, ReadResponse> => {
  const contents = [...responses.values()].flatMap(({ alternatives }) => alternatives)
  const reads = new Map(contents.map((one) => [one, readerOf(one)] as const))
  const streams = new Map(contents.map((one) => [one, streamReader(one)] as const))
  const unread = contents.filter(
    (one) => reads.get(one) === undefined && streams.get(one) === undefined,
  )
  if (unread.length > 0) return E.left(unread.map(({ contentType }) => contentType))
  const isSilent = operation.method === 'HEAD'
  const readResponse: ReadResponse = async (response, request, sending) => {
    const { signal } = request
    const { status, body } = response
    const declared = responses.get(status)
    if (declared === undefined) {
      return E.left(
        await telling(response, request, (content) =>
          Failing.undeclaredStatus(operation, response, content),
        ),
      )
    }
    const answered = (value: unknown): Outcome =>
      declared.failure ? E.left(answerOf(response, value)) : E.right(answerOf(response, value))
    const { alternatives } = declared
    if (isSilent || alternatives.length === 0 || !Status.hasContent(status)) {
      cancel(body)
      return answered(declared.nothing)
    }
    const stated = mediaTypeOf(response)
    const chosen = stated === undefined ? alternatives[0] : alternativeFor(stated, alternatives)
    const stream = chosen === undefined ? undefined : streams.get(chosen)
    if (stream !== undefined) {
      const again =
        sending === undefined
          ? undefined
          : returning(response, request, sending, (other) => readResponse(other, request))
      const value = await stream({ operation, response, signal, limit }, stated, again)
      return E.isLeft(value) ? value : answered(value.right)
    }
    const read = chosen === undefined ? undefined : reads.get(chosen)
    if (read === undefined && declared.mayBeEmpty) {
      cancel(body)
      return answered(undefined)
    }
    if (chosen === undefined || read === undefined) {
      return E.left(
        await telling(response, request, (content) =>
          Failing.decodeError(operation, response, undeclared(stated), content),
        ),
      )
    }
    const octets = await readWhole(body, limit)
    if (E.isLeft(octets))
      return E.left(
        octets.left === tooMany
          ? Failing.contentTooLarge(operation, response, limit)
          : Failing.brokenOff(operation, octets.left, signal),
      )
    if (octets.right.length === 0 && stated === undefined && declared.mayBeEmpty)
      return answered(undefined)
    const { readerInterceptors } = entities
    const result =
      readerInterceptors.length === 0 && chosen.format._tag !== 'Provider'
        ? read(readingOf(octets.right, stated, chosen, context), stated)
        : through(readerInterceptors, chosen, read, stated, octets.right, context, (other) => {
            const found = alternativeFor(other, alternatives)
            return found === undefined ? undefined : reads.get(found)
          })
    const value = result instanceof Promise ? await result : result
    return E.isLeft(value)
      ? E.left(Failing.decodeError(operation, response, value.left))
      : answered(value.right)
  }
  return E.right(readResponse)
}

const lenient = new TextDecoder()

/** What a response comes to that says something of its own: as much of it as came, unless the call itself was ended. */
const telling = async (
  { body }: ClientResponse,
  { operation, signal }: ClientRequest,
  told: (content: string) => ClientError,
): Promise<ClientError> => {
  const { octets, error } = await readFirst(body, mostUndeclared)
  return signal?.aborted === true || isClientError(error)
    ? Failing.brokenOff(operation, error, signal)
    : told(lenient.decode(octets))
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

const undeclared = (stated: MediaType.MediaType | undefined): Failure => ({
  _tag: 'InvalidInput',
  faults: [
    {
      in: 'body',
      pointer: '#',
      detail: `is ${stated === undefined ? 'of no media type' : MediaType.format(stated)}, which is not declared`,
    },
  ],
  more: false,
})

type Result = E.Either<Failure, unknown>

type Read = (reading: Reading, stated: MediaType.MediaType | undefined) => Result | Promise<Result>

const readingOf = (
  octets: Uint8Array,
  stated: MediaType.MediaType | undefined,
  content: ContentPlan,
  context: Context,
): Reading => ({
  octets,
  mediaType: stated === undefined ? content.contentType : MediaType.format(stated),
  codec: codecOf(content),
  context,
})

const readerOf = (content: ContentPlan): Read | undefined => {
  const { format } = content
  if (format._tag !== 'Provider') {
    const read = contentReader(content)
    return read === undefined
      ? undefined
      : ({ octets }, stated) => {
          try {
            return read(octets, stated)
          } catch (error) {
            return unreadable(reason(error), error)
          }
        }
  }
  const { by, codec } = format
  if (by._tag !== 'Reader') return undefined
  // one that is made for the codec gives its values; what any other gives is still to be decoded
  const isOwn = by.scope._tag === 'Codec'
  const exact = compiled(seen(codec), 'drop', usual.backEnd)
  return async (reading) => {
    try {
      const value = await settled(by.run(reading.octets, reading))
      return isOwn ? E.right(value) : decoded(exact, value)
    } catch (error) {
      return unreadable(reason(error), error)
    }
  }
}

const reason = (error: unknown): string =>
  error instanceof Error ? error.message : 'it cannot be read'

/** What is wrong with a content, on its way through interceptors. */
class Unread extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super('the content cannot be read')
    this.failure = failure
  }
}

const through = async (
  interceptors: Entities['readerInterceptors'],
  content: ContentPlan,
  read: Read,
  stated: MediaType.MediaType | undefined,
  octets: Uint8Array,
  context: Context,
  otherFor: (mediaType: MediaType.MediaType | undefined) => Read | undefined,
): Promise<Result> => {
  const assumed = readingOf(octets, stated, content, context)
  const run = intercepted<Reading, ReadingChange, unknown>(
    interceptors,
    async (reading) => {
      const isSame = reading.mediaType === assumed.mediaType
      const changed = isSame ? stated : O.toUndefined(MediaType.parse(reading.mediaType))
      const result = await ((isSame ? undefined : otherFor(changed)) ?? read)(reading, changed)
      if (E.isLeft(result)) throw new Unread(result.left)
      return result.right
    },
    (value) => value,
  )
  try {
    return E.right(await run(assumed))
  } catch (error) {
    if (error instanceof Unread) return E.left(error.failure)
    return unreadable(reason(error), error)
  }
}
