/** Reads response bodies, either completely or up to a limit, and cancels bodies that are not needed. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BodyReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BuiltInFormat, BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import type { JsonReadSettings, JsonSettings } from '../../body/json/json-rules.ts'
import { readJson } from '../../body/json/json-rules.ts'
import type { ReadBody } from '../../body/read-body.ts'
import { charsetOf, unreadableBody } from '../../body/read-body.ts'
import { isUtf8Compatible } from '../../http/charset-label.ts'
import { decodeText } from '../../body/read-text.ts'
import type { Codec } from '../../codec/codec.ts'
import { children, unwrap } from '../../codec/structure/codec-structure.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { ClientResponse } from '../exchange.ts'
import type { BodyLimits } from './lazy-response.ts'
import { LazyResponse, tooLarge, idleTooLong, ReadTimeout } from './lazy-response.ts'

/**
 * Limits for JSON in responses. Only the nesting depth is limited here, because `maxBodySize` limits the size. Other
 * limits apply only to requests, because services can return more data than they accept.
 */
const jsonLimits: Omit<JsonReadSettings, keyof JsonSettings> = {
  undeclared: 'drop',
  bounds: { depth: 500, keys: Infinity },
}
const readLimits: Omit<BodyReadOptions, keyof JsonSettings | 'json'> = {
  ...jsonLimits,
  visibility: undefined,
  xml: { depth: 500, rejectsUndeclared: false, sizeFailure: () => undefined },
  form: { fields: Infinity, fieldsName: '', fieldSize: Infinity, fieldSizeName: '' },
}

/** Creates a reader for JSON in UTF-8. Properties that a view or a role can hide are optional. */
export const jsonReader = (
  codec: Codec,
  { json }: BodyOptions,
  jsonSettings: JsonSettings,
): ReadBody => readJson(partialViewCodec(codec), { ...jsonLimits, ...jsonSettings }, { json })

/**
 * Creates a reader for a buffered body. Returns `undefined` if the client does not read the representation as a whole.
 */
export const bodyReader = (plan: BodyPlan, jsonSettings: JsonSettings): ReadBody | undefined => {
  const { format, json } = plan
  if (format._tag === 'Provider') return undefined
  if (format._tag === 'Hal') {
    const read = jsonReader(format.codec, plan, jsonSettings)
    if (!isCollection(format.codec)) return inUtf8(read)
    return inUtf8((bytes, mediaType) => read(embeddedElements(bytes, format.collection), mediaType))
  }
  const { reader, charsets } = bodyFormat(withPartialViews(format))
  const read = reader?.({ ...readLimits, ...jsonSettings, json })
  if (read === undefined) return undefined
  switch (charsets) {
    case 'ascii':
    case 'utf-8':
      return inUtf8(read)
    case 'custom':
      return withoutErrors(read)
    default:
      return read
  }
}

/** Makes properties optional if a view or a role can hide them. */
const withPartialViews = (format: BuiltInFormat): BuiltInFormat => {
  switch (format._tag) {
    case 'Json':
    case 'Problem':
    case 'Xml':
    case 'Data':
      return { ...format, codec: partialViewCodec(format.codec) }
    default:
      return format
  }
}

const encoder = new TextEncoder()

/** Wraps a reader that supports only UTF-8. Bodies in other supported charsets are first converted to UTF-8. */
const inUtf8 =
  (read: ReadBody): ReadBody =>
  (bytes, mediaType) => {
    const charset = charsetOf(mediaType)
    if (isUtf8Compatible(charset)) return read(bytes, mediaType)
    const text = decodeText(bytes, charset)
    return E.isLeft(text) ? text : read(encoder.encode(text.right), undefined)
  }

/**
 * Converts exceptions thrown by a custom read function to failures. This includes `HttpError`, which has a special
 * meaning only on a server.
 */
const withoutErrors =
  (read: ReadBody): ReadBody =>
  (bytes, mediaType) => {
    try {
      return read(bytes, mediaType)
    } catch (error) {
      return unreadableBody('the body cannot be read', error)
    }
  }

const collectionTags = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType'])

const isCollection = (codec: Codec): boolean => {
  const inner = unwrap(codec)
  const candidates = inner._tag === 'UnionType' ? children(inner).map(unwrap) : [inner]
  return candidates.some(({ _tag }) => collectionTags.has(_tag ?? ''))
}

const decoder = new TextDecoder()

/** Returns the elements of a HAL collection as JSON. Returns any other document unchanged. */
const embeddedElements = (bytes: Uint8Array, relation: string): Uint8Array => {
  const elements = findElements(bytes, relation)
  return elements === undefined ? bytes : encoder.encode(JSON.stringify(elements))
}

/**
 * Returns the member of `_embedded` that is named after the declared relation. If there is no such member, returns the
 * only member, because services can use a different relation. Returns an empty list for a HAL document without
 * `_embedded`.
 */
const findElements = (bytes: Uint8Array, relation: string): unknown => {
  try {
    const document: unknown = JSON.parse(decoder.decode(bytes))
    if (!t.UnknownRecord.is(document)) return undefined
    const { _embedded: embedded } = document
    if (!t.UnknownRecord.is(embedded)) return '_links' in document ? [] : undefined
    const declared = Object.hasOwn(embedded, relation) ? embedded[relation] : undefined
    if (declared !== undefined) return declared
    const [only, ...others] = Object.values(embedded)
    return others.length === 0 ? only : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a whole body and passes it to `then`. If reading fails, `then` receives a `Left` that contains
 * {@link tooLarge}, {@link idleTooLong} or the error from the connection.
 *
 * This function accepts a callback, because another async function would use 1 KB of memory per call.
 */
export const readBody = <A>(
  response: ClientResponse,
  limits: BodyLimits,
  then: (bytes: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  const lazyBody = LazyResponse.unopenedBody(response)
  return lazyBody === undefined
    ? readStream(response, limits, then)
    : lazyBody.readAll(limits).then(
        (bytes) => then(E.right(bytes)),
        (error: unknown) => then(E.left(error)),
      )
}

const readStream = async <A>(
  { body }: ClientResponse,
  limits: BodyLimits,
  then: (bytes: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  if (body === null) return then(E.right(new Uint8Array()))
  const reader = body.getReader()
  const readTimeout = startReadTimeout(reader, limits)
  let firstChunk: Uint8Array | undefined
  let collector: ByteCollector | undefined
  let length = 0
  let failure: E.Either<unknown, never> | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      readTimeout?.restart()
      length += value.length
      if (length > limits.maxBytes) {
        cancelReader(reader)
        failure = E.left(tooLarge)
        break
      }
      // most bodies have one chunk, which is not copied
      if (firstChunk === undefined) firstChunk = value
      else {
        if (collector === undefined) (collector = new ByteCollector()).add(firstChunk)
        collector.add(value)
      }
    }
  } catch (error) {
    failure = E.left(error)
  }
  if (readTimeout?.stop() === true) failure = E.left(idleTooLong)
  return then(
    failure ??
      E.right(collector === undefined ? (firstChunk ?? new Uint8Array()) : collector.take()),
  )
}

/** Beginning of a response body. */
export interface BodyStart {
  readonly bytes: Uint8Array
  /** Error that ended the body early, such as {@link idleTooLong}, or `undefined` if no error occurred. */
  readonly error: unknown
}

/**
 * Reads at most `maxBytes` bytes of a body, and cancels the rest. If reading fails, returns the bytes that arrived
 * before the failure.
 */
export const readStart = async (
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): Promise<BodyStart> => {
  if (body === null) return { bytes: new Uint8Array(), error: undefined }
  const collector = new ByteCollector()
  let failure: unknown
  const reader = body.getReader()
  const readTimeout = startReadTimeout(reader, limits)
  try {
    while (collector.length < limits.maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      readTimeout?.restart()
      collector.add(value)
    }
    cancelReader(reader)
  } catch (error) {
    failure = error
  }
  if (readTimeout?.stop() === true) failure = idleTooLong
  return { bytes: collector.take().subarray(0, limits.maxBytes), error: failure }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/**
 * Starts a timer that limits the time between the chunks of a body. When the timer expires, the body is cancelled and
 * any pending `read` ends.
 */
const startReadTimeout = (reader: Reader, { timeout }: BodyLimits): ReadTimeout | undefined =>
  timeout === undefined ? undefined : new ReadTimeout(timeout, () => cancelReader(reader))

/**
 * Cancels a body through its reader, without waiting for the promise returned by `cancel`. If the body was created by
 * `tee`, this promise resolves only after both branches have been cancelled.
 */
const cancelReader = (reader: Reader): void => {
  reader.cancel().catch(() => undefined)
}

/** Cancels a body that will not be read, to free the connection. Has no effect if the body already has a reader. */
export const cancel = (body: ReadableStream<Uint8Array> | null): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined)
}
