/**
 * Writes the request bodies that every client can write: JSON, text and bytes. Validates values, adds members that the caller has
 * omitted because they are optional or have a default, and creates validation errors.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import { inputVisibility } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import { isBytes, isError } from '../../http/platform-value.ts'
import { encodeText } from '../../body/text-values.ts'
import { bodyErrors, formatPointer } from '../../body/decode-body.ts'
import { rejectingCodec } from '../../codec/constraint.ts'
import { expectedTypes } from '../../codec/from-string.ts'
import type { BackEnd } from '../../codec/compiled/compiled-codec.ts'
import { encodeFor } from '../../body/charset.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { ClientBody } from '../exchange.ts'
import * as t from 'io-ts'
import { invalidPart, isValueOf } from '../../codec/structure/invalid-part.ts'
import { members, wrapped } from '../../codec/codec-structure.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'

/** Writes a buffered body. */
export type WritePlain = (value: unknown) => Written

/** Creates a function that writes JSON, text or bytes. Returns `undefined` for other representations. */
export const plainWriter = (
  { format, visibility }: BodyPlan,
  jsonSettings: JsonSettings,
): WritePlain | undefined => {
  switch (format._tag) {
    case 'Json':
    case 'Problem': {
      const { codec } = format
      const { backEnd } = jsonSettings
      const { write } = compileCodec(codec, 'drop', backEnd, inputVisibility(codec, visibility))
      return withValidation(codec, backEnd, (value) => E.right(write(value)))
    }
    case 'Text':
      return format.codec === undefined ? writeText : scalarWriter(format.codec, jsonSettings)
    case 'RawJson':
      return writeText
    case 'Bytes':
      return writeBytes
    default:
      return undefined
  }
}

const writeBytes: WritePlain = (value) =>
  isBytes(value) ? E.right(value) : unwritableBody('invalid bytes: expected a Uint8Array')

/** Writes text. Rejects lone surrogates, because UTF-8 cannot represent them. */
const writeText = (value: unknown): Written =>
  typeof value !== 'string'
    ? unwritableBody('must be a string')
    : value.isWellFormed()
      ? E.right(value)
      : unwritableBody('must not contain lone surrogates')

const scalarWriter = (codec: Codec, { backEnd }: JsonSettings): WritePlain => {
  const shape = parameterShape(codec)
  const { encode } = compileCodec(codec, 'drop', backEnd)
  return withValidation(codec, backEnd, (value) => {
    const encoded = encode(value)
    if (encoded === undefined) return E.right(undefined)
    const text = encodeText(encoded, shape)
    return E.isRight(text) ? text : unwritableBody(text.left)
  })
}

/** A buffered body, or a function that opens a streamed body. */
export type BodyContent = string | Uint8Array | Blob | OpenStream

/** Function that opens a streamed body. */
export type OpenStream = () => AsyncIterable<Uint8Array>

/** Converts the content of a written body to a `ClientBody`. */
export const toClientBody = (content: BodyContent): ClientBody =>
  typeof content === 'function'
    ? { _tag: 'Streamed', open: content }
    : { _tag: 'Buffered', data: content }

/** A value written as text or bytes, or `undefined` if the request has no body. A `Left` contains validation errors. */
export type Written = E.Either<ReadonlyArray<ValidationError>, string | Uint8Array | undefined>

/** The content of a request body and the headers to send with it. */
export interface RequestBody {
  readonly contentType: string
  readonly content: BodyContent
  /** Headers added by custom writers. */
  readonly headers: Headers
}

/** A written request body, or `undefined` if the request has no body. A `Left` contains validation errors. */
export type WrittenBody = E.Either<ReadonlyArray<ValidationError>, RequestBody | undefined>

/**
 * Encodes text in the charset specified in the `Content-Type` header. Returns a `Left` if the charset cannot represent
 * a character in the text.
 */
export const encodeContent = (
  contentType: string,
  content: string | Uint8Array,
): E.Either<ReadonlyArray<ValidationError>, string | Uint8Array> => {
  if (typeof content !== 'string') return E.right(content)
  return catchErrors(() => encodeFor(contentType, content))
}

/** Calls a function that writes a body. If the function throws an exception, returns a validation error. */
export const catchErrors = <A>(write: () => A): E.Either<ReadonlyArray<ValidationError>, A> => {
  try {
    return E.right(write())
  } catch (error) {
    return writeFailure(error)
  }
}

/** Returns the validation error for an exception thrown by a function that writes a body. */
export const writeFailure = (error: unknown): E.Either<ReadonlyArray<ValidationError>, never> =>
  unwritableBody(isError(error) ? error.message : 'cannot be written')

/** Creates the validation error for a body that cannot be written. */
export const unwritableBody = (detail: string): E.Either<ReadonlyArray<ValidationError>, never> =>
  E.left([{ in: 'body', pointer: '#', detail }])

/**
 * Creates a function that validates a value with a codec and then writes it.
 *
 * If the value is invalid, the created function returns the validation errors of the codec. A missing value is valid if
 * the codec accepts `undefined`. In that case, the request has no body.
 */
export const withValidation = (
  codec: Codec,
  backEnd: BackEnd,
  write: (value: unknown) => Written,
): ((value: unknown) => Written) => {
  const { is, encode, decode } = compileCodec(codec, 'drop', backEnd)
  const run = (value: unknown): Written => E.flatten(catchErrors(() => write(value)))
  return (value) => {
    let completed: unknown = value
    try {
      if (value === null && !is(null)) return is(undefined) ? absent : missing(codec)
      if (value === undefined) return E.isRight(decode(undefined)) ? absent : missing(codec)
      if (is(value)) return run(value)
      completed = withOmittedMembers(codec, value)
      if (is(completed)) return run(completed)
      const read = decode(encode(completed))
      if (E.isLeft(read)) return E.left(bodyErrors(read.left))
    } catch {
      // a codec can throw an exception for an invalid value
    }
    return E.left([rejectedPart(codec, completed)])
  }
}

const absent: Written = E.right(undefined)

const missing = (codec: Codec): Written =>
  unwritableBody(expectedTypes([rejectingCodec(codec, undefined).name], true))

/** Codecs for the members or elements of a value. */
type Parts = ReadonlyArray<readonly [key: string, codec: Codec]>

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (!t.UnknownRecord.is(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Returns the codecs for the members that a codec declares and for the elements of a list. */
const partsOf = (codec: Codec, value: unknown): Parts => {
  if (!isKnown(codec)) return []
  const declared = members(codec)
  if (declared !== undefined && isPlainObject(value))
    return Object.entries(declared).filter(
      ([key]) => codec._tag !== 'PartialType' || memberOf(value, key) !== undefined,
    )
  switch (codec._tag) {
    case 'DictionaryType':
      return isPlainObject(value) ? Object.keys(value).map((key) => [key, codec.codomain]) : []
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return Array.isArray(value) ? value.map((_, index) => [String(index), codec.type]) : []
    case 'TupleType':
      return Array.isArray(value) ? codec.types.map((type, index) => [String(index), type]) : []
    default:
      return []
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined

/** Returns a value with the omitted members, as a server would decode them. Other values are unchanged, even if they are invalid. */
export const withOmittedMembers = (codec: Codec, value: unknown): unknown => {
  if (value === undefined) {
    const decoded = codec.decode(undefined)
    return E.isRight(decoded) ? decoded.right : undefined
  }
  if (isValueOf(codec, value)) return value
  const inner = wrapped(codec)
  if (inner !== undefined) return withOmittedMembers(inner, value)
  if (isKnown(codec) && codec._tag === 'IntersectionType')
    return codec.types.reduce<unknown>(
      (completed, type) => withOmittedMembers(type, completed),
      value,
    )
  if (isKnown(codec) && codec._tag === 'UnionType') {
    const completed = codec.types.map((type) => withOmittedMembers(type, value))
    return completed.find((candidate, index) => codec.types[index]?.is(candidate)) ?? value
  }
  const parts = partsOf(codec, value).map(
    ([key, part]) => [key, withOmittedMembers(part, memberOf(value, key))] as const,
  )
  if (parts.length === 0) return value
  if (Array.isArray(value)) return parts.map(([, part]) => part)
  return isPlainObject(value) ? { ...value, ...Object.fromEntries(parts) } : value
}

/** Returns the validation error for the innermost part that a codec rejects. Omitted members must have been added. */
export const rejectedPart = (codec: Codec, value: unknown): ValidationError => {
  const part = invalidPart(codec, value) ?? { path: [], codec, value }
  const detail = expectedTypes([part.codec.name], part.value === undefined)
  return { in: 'body', pointer: formatPointer(part.path), detail }
}
