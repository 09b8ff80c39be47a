/** Defines written request bodies, and creates validation errors for values that cannot be written. */
import * as E from 'fp-ts/lib/Either.js'
import { bodyErrors } from '../../body/decode-body.ts'
import { rejectingCodec } from '../../codec/constraint.ts'
import { expectedTypes } from '../../codec/from-string.ts'
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { rejectedMember, withOmittedMembers } from './omitted-members.ts'
import { encodeFor } from '../../body/charset.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { ClientBody } from '../exchange.ts'
import { isError } from '../../http/platform-value.ts'

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
  try {
    return E.right(encodeFor(contentType, content))
  } catch (error) {
    return unwritableBody(isError(error) ? error.message : 'cannot be written')
  }
}

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
  const catchErrors = (value: unknown): Written => {
    try {
      return write(value)
    } catch (error) {
      return unwritableBody(isError(error) ? error.message : 'cannot be written')
    }
  }
  return (value) => {
    let completed: unknown = value
    try {
      if (value === null && !is(null)) return is(undefined) ? absent : missing(codec)
      if (value === undefined) return E.isRight(decode(undefined)) ? absent : missing(codec)
      if (is(value)) return catchErrors(value)
      completed = withOmittedMembers(codec, value)
      if (is(completed)) return catchErrors(completed)
      const read = decode(encode(completed))
      if (E.isLeft(read)) return E.left(bodyErrors(read.left))
    } catch {
      // a codec can throw an exception for an invalid value
    }
    return E.left([rejectedMember(codec, completed)])
  }
}

const absent: Written = E.right(undefined)

const missing = (codec: Codec): Written =>
  unwritableBody(expectedTypes([rejectingCodec(codec, undefined).name], true))
