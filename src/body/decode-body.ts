/**
 * Reads JSON with the global `JSON` object and text in any charset, decodes bodies with codecs, converts codec errors to validation
 * errors, and creates the failures shared by all formats.
 */
import type * as t from 'io-ts'
import { expectedTypes } from '../codec/from-string.ts'
import type { ValidationError, RequestFailure } from '../http/failure.ts'
import { errorPath } from '../codec/codec-structure.ts'
import { withCachedDocument } from '../http/problem.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { CompiledCodec } from '../codec/compiled/compiled-codec.ts'
import { isMissingFeature } from '../codec/missing-feature.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import * as Failures from '../http/failure.ts'
import * as MediaType from '../http/media-type.ts'
import { isErrorOf, isPromise } from '../http/platform-value.ts'
import { identity } from 'fp-ts/lib/function.js'
import type { Codec } from '../codec/codec.ts'
import * as JsonText from '../codec/json/json-guard.ts'
import { parameterShape } from '../codec/schema/parameter-shape.ts'
import { decodeWithResults } from '../codec/standard-schema/asynchronous-results.ts'
import { isUtf8Compatible } from './charset.ts'
import { textDecoder } from '../http/text-decoder.ts'

/**
 * Formats member names and array indexes as a JSON Pointer in URI fragment form (RFC 6901, 6). An empty array refers to the whole
 * document. Lone surrogates are replaced with U+FFFD.
 *
 * ```text
 * []            #
 * ['']          #/
 * ['a/b', 'é']  #/a~1b/%C3%A9
 * ```
 */
export const formatPointer = (segments: ReadonlyArray<string>): string =>
  segments.reduce((pointer, segment) => `${pointer}/${escape(segment)}`, '#')

/** Escapes a name or index. `encodeURI` escapes all characters that are not allowed in a fragment, except `#`. */
const escape = (segment: string): string =>
  plain.test(segment)
    ? segment
    : encodeURI(
        segment
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')
          .replaceAll(/\p{Cs}/gu, '\ufffd'),
      ).replaceAll('#', '%23')

/** Matches names and indexes that need no escaping: all indexes and most names. */
const plain = /^[\w.-]*$/

/**
 * Maximum number of codec errors to process. Decoding a large body with a union codec can cause hundreds of thousands of errors.
 */
const maxErrors = 1000

/** A cached validation error for a parameter. Errors for which the codec provides a message are not cached. */
interface CachedError {
  readonly type: t.ContextEntry['type'] | undefined
  readonly isMissing: boolean
  readonly error: ValidationError
}

/** Maximum number of cached errors for each parameter. */
const maxCachedErrors = 16

/**
 * Creates a function that combines all codec errors for a parameter into one validation error.
 *
 * A single error without a codec message is cached together with its problem document. This reduces the processing time from 6.0
 * µs to 5.3 µs.
 */
export const parameterErrors = (
  location: Pick<ValidationError, 'in' | 'name'>,
): ((errors: t.Errors) => ValidationError) => {
  const cache: CachedError[] = []
  const errorOf = (detail: string): ValidationError => ({ ...location, detail })
  return (errors) => {
    if (!isSingle(errors)) return errorOf(combinedDetail(groupByPath(errors)))
    const [error] = errors
    const { context, message, value } = error
    if (message !== undefined) return errorOf(message)
    const type = context.at(-1)?.type
    const isMissing = value === undefined
    const cached = cache.find((entry) => entry.type === type && entry.isMissing === isMissing)
    if (cached !== undefined) return cached.error
    const created = errorOf(detailOf(error))
    if (cache.length >= maxCachedErrors) return created
    const withDocument = withCachedDocument(created)
    cache.push({ type, isMissing, error: withDocument })
    return withDocument
  }
}

/** Converts the codec errors for a body to validation errors, one for each location in the body. */
export const bodyErrors = (errors: t.Errors): ReadonlyArray<ValidationError> =>
  groupByPath(errors).map((group) => ({
    in: 'body',
    pointer: formatPointer(group.path),
    detail: isSingle(group.errors) ? detailOf(group.errors[0]) : combinedDetail([group]),
  }))

/** Whether there is exactly one error. In this common case, errors need not be grouped. */
const isSingle = (
  errors: ReadonlyArray<t.ValidationError>,
): errors is readonly [t.ValidationError] => errors.length === 1

const detailOf = ({ context, message, value }: t.ValidationError): string => {
  if (message !== undefined) return message
  const type = context.at(-1)?.type
  if (type === undefined) return expectedTypes([''], value === undefined)
  const details = value === undefined ? detailsOfMissing : detailsOfInvalid
  const known = details.get(type)
  // the name of a codec can be assigned
  if (known?.name === type.name) return known.detail
  const detail = expectedTypes([type.name], value === undefined)
  details.set(type, { name: type.name, detail })
  return detail
}

interface ErrorDetail {
  readonly name: string
  readonly detail: string
}

/**
 * The details of errors without a codec message. Creating a detail takes 5% of the CPU time of an invalid body (400) response.
 */
const detailsOfInvalid = new WeakMap<t.ContextEntry['type'], ErrorDetail>()
const detailsOfMissing = new WeakMap<t.ContextEntry['type'], ErrorDetail>()

/**
 * Combines errors into one error detail. The detail consists of the codec messages or, if no error has a message, of the expected
 * types.
 */
const combinedDetail = (groups: ReadonlyArray<ErrorsAtPath>): string => {
  const errors = groups.flatMap((group) => group.errors)
  const messages = errors.flatMap(({ message }) => (message === undefined ? [] : [message]))
  return messages.length > 0
    ? distinct(messages).join('; ')
    : expectedTypes(
        errors.map(({ context }) => nameOf(context)),
        groups.every(isMissingValue),
      )
}

const nameOf = (context: t.Context): string => context.at(-1)?.type.name ?? ''

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

/** The errors that occurred at one path in a value. */
interface ErrorsAtPath {
  readonly path: ReadonlyArray<string>
  readonly errors: ReadonlyArray<t.ValidationError>
}

const isMissingValue = ({ errors }: ErrorsAtPath): boolean => errors.at(-1)?.value === undefined

/** Groups errors by path, in the order in which the paths first occur. */
const groupByPath = (errors: t.Errors): ReadonlyArray<ErrorsAtPath> => {
  if (isSingle(errors)) return [{ path: errorPath(errors[0].context), errors }]
  const groups = new Map<string, ErrorsAtPath & { readonly errors: Array<t.ValidationError> }>()
  for (const error of errors.slice(0, maxErrors)) {
    const path = errorPath(error.context)
    const key = path.reduce((text, name) => `${text}${name.length}:${name}`, '')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { path, errors: [error] })
    else group.errors.push(error)
  }
  return [...groups.values()]
}

/** Reads a body from its bytes and the media type in the `Content-Type` header. */
export type ReadBody = (
  bytes: Uint8Array,
  contentType: MediaType.MediaType | undefined,
) => ReadResult

/** The value of a body, or the failure. A promise if the body is validated asynchronously. */
export type ReadResult = DecodedBody | Promise<DecodedBody>

/** The decoded value of a body, or the failure for an invalid body. */
export type DecodedBody = E.Either<RequestFailure, unknown>

/** Returns the failure for a body with validation errors. */
export const invalidInput = (
  errors: ReadonlyArray<ValidationError>,
): E.Either<RequestFailure, never> => E.left(Failures.ofErrors('InvalidInput', errors))

/** Returns the failure for a malformed body. Its validation error refers to the whole body. */
export const malformedBody = (detail: string): RequestFailure =>
  Failures.ofErrors('InvalidInput', [{ in: 'body', pointer: '#', detail }])

/** Returns the result of {@link malformedBody} as a `Left`, and records the error that caused the failure. */
export const unreadableBody = (
  detail: string,
  cause?: unknown,
): E.Either<RequestFailure, never> => {
  const failure = malformedBody(detail)
  return E.left(cause === undefined ? failure : withCause(cause, failure))
}

/** Prefixes the JSON Pointers in a failure with the name of the part in which it occurred. */
export const withinPart = (name: string, failure: RequestFailure): RequestFailure =>
  failure._tag === 'InvalidInput'
    ? {
        ...failure,
        errors: failure.errors.map(({ pointer = '#', ...error }) => ({
          ...error,
          pointer: `${formatPointer([name])}${pointer.slice(1)}`,
        })),
      }
    : failure

/**
 * Decodes a value with a codec. An `HttpError` thrown by the codec is rethrown and determines the response. Returns a promise if a
 * schema validates the value asynchronously. The promise is rejected if the promise of the schema is.
 */
export const decodeBody = (
  codec: Pick<CompiledCodec, 'name' | 'decodeLater'>,
  value: unknown,
): ReadResult => {
  try {
    const result = codec.decodeLater(value)
    return isPromise(result) ? result.then(bodyResult) : bodyResult(result)
  } catch (error) {
    if (isHttpError(error) || isMissingFeature(error)) throw error
    // deeply nested input can exhaust the stack in a recursive codec
    return unreadableBody(
      isErrorOf(error, 'RangeError') ? 'nested too deeply' : expectedTypes([codec.name]),
    )
  }
}

/** Converts the result of a codec to the result of a reader. */
const bodyResult = (result: t.Validation<unknown>): DecodedBody =>
  E.isRight(result) ? result : invalidInput(bodyErrors(result.left))

/** Calls `proceed` with the result of a reader, as soon as it is available. */
export const whenRead = <B>(
  result: ReadResult,
  proceed: (body: DecodedBody) => B | Promise<B>,
): B | Promise<B> => (isPromise(result) ? result.then(proceed) : proceed(result))

/** Returns the charset declared by a media type, or `utf-8` if none is declared. */
export const charsetOf = (contentType: MediaType.MediaType | undefined): string =>
  contentType === undefined || contentType.parameters.length === 0
    ? 'utf-8'
    : O.getOrElse(() => 'utf-8')(MediaType.parameter(contentType, 'charset'))

/** The failure for a body in an unsupported charset. */
export const unsupportedCharset: E.Either<RequestFailure, never> = E.left({
  _tag: 'UnsupportedMediaType',
  detail: 'Unsupported charset. Send the body in UTF-8.',
  supported: ['utf-8'],
})

const causes = new WeakMap<object, unknown>()

/**
 * Records the error that caused a failure, for use by error mappers. The error is not part of the failure, because its message
 * might quote the body.
 */
const withCause = (cause: unknown, failure: RequestFailure): RequestFailure => {
  causes.set(failure, cause)
  return failure
}

/** Returns the error recorded as the cause of a failure. Returns `undefined` if no error was recorded. */
export const causeOf = (failure: object): unknown => causes.get(failure)

/** Parses the bytes of a JSON text. */
export type ParseJson = (bytes: Uint8Array) => E.Either<JsonText.JsonError, unknown>

/** Converts a parsed JSON value before it is decoded. */
export type TransformJson = (parsed: unknown) => unknown

/** Returns the parser that uses the global `JSON` object. */
export const plainParser =
  (compiled: CompiledCodec, bounds: JsonText.JsonBounds): ParseJson =>
  (bytes) =>
    JsonText.parse(bytes, bounds, (parsed) => compiled.fits(parsed, bounds))

/**
 * Creates a function that reads a JSON body. A charset other than UTF-8 results in status 415, because JSON must be encoded in UTF-8 (RFC
 * 8259, 8.1).
 */
export const jsonReader =
  (compiled: CompiledCodec, parse: ParseJson, transform: TransformJson = identity): ReadBody =>
  (bytes, contentType) => {
    const charset = charsetOf(contentType)
    if (charset !== 'utf-8' && !isUtf8Compatible(charset)) return unsupportedCharset
    const value = parse(bytes)
    return E.isLeft(value)
      ? unreadableBody(value.left.detail, value.left.cause)
      : decodeBody(compiled, transform(value.right))
  }

/** Decodes bytes as text. */
export type DecodeText = (bytes: Uint8Array, charset: string) => E.Either<RequestFailure, string>

/**
 * Creates a function that reads a text body. Without a codec, the value is the text itself.
 *
 * An empty body is treated as a missing value unless the codec describes strings. If the codec describes an optional string, an
 * empty body is treated as missing only if the request has no `Content-Type` header.
 */
export const textReader = (codec: Codec | undefined, decodeText: DecodeText): ReadBody => {
  if (codec === undefined) return (bytes, contentType) => decodeText(bytes, charsetOf(contentType))
  const { keepsEmpty, convert } = parameterShape(codec)
  const decoding = {
    name: codec.name,
    decodeLater: (value: unknown) =>
      decodeWithResults((root) => codec.validate(value, [root]), {
        key: '',
        type: codec,
        actual: value,
      }),
  }
  const mayBeMissing = keepsEmpty && isOptional(codec)
  return (bytes, contentType) => {
    const text = decodeText(bytes, charsetOf(contentType))
    if (E.isLeft(text)) return text
    const isMissing =
      text.right === '' && (!keepsEmpty || (mayBeMissing && contentType === undefined))
    return decodeBody(decoding, isMissing ? undefined : convert(text.right))
  }
}

const isOptional = (codec: Codec): boolean => {
  try {
    return E.isRight(codec.decode(undefined))
  } catch {
    return false
  }
}

/** Decodes bytes as UTF-8. Fails with status 400 if they are malformed. */
export const decodeUtf8: DecodeText = (bytes, charset) => {
  try {
    return E.right(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return unreadableBody(`malformed ${charset}`)
  }
}

/** Creates a function that reads a text body in the charset of its media type. */
export const readText = (codec: Codec | undefined): ReadBody => textReader(codec, decodeText)

/** Decodes bytes as text. Fails with status 415 if the charset is unknown, and with status 400 if the bytes are malformed. */
export const decodeText = (
  bytes: Uint8Array,
  charset: string,
): E.Either<RequestFailure, string> => {
  if (charset === 'utf-8') return decodeUtf8(bytes, charset)
  const decoder = textDecoder(charset)
  if (decoder === undefined) return unsupportedCharset
  try {
    return E.right(decoder.decode(bytes))
  } catch {
    return unreadableBody(`malformed ${charset}`)
  }
}
