/** Written request bodies, and the validation errors of values that cannot be written. */
import * as E from 'fp-ts/lib/Either.js'
import * as DecodeErrors from '../../body/decode-errors.ts'
import { expectedTypes } from '../../codec/expected-types.ts'
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { encodeFor } from '../../body/text/charset.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { ClientBody } from '../exchange.ts'

/** A buffered body or a function that opens a stream. */
export type BodyContent = string | Uint8Array | Blob | OpenStream

/** Opens a streamed body. */
export type OpenStream = () => AsyncIterable<Uint8Array>

/** Converts the content of a written body to a client body. */
export const clientBody = (content: BodyContent): ClientBody =>
  typeof content === 'function' ? { _tag: 'Pieces', open: content } : { _tag: 'Whole', content }

/** A value written as text or bytes; `undefined` for a request without a body. */
export type Written = E.Either<ReadonlyArray<ValidationError>, string | Uint8Array | undefined>

/** The body of a request, and the headers that belong to it. */
export interface RequestBody {
  readonly contentType: string
  readonly content: BodyContent
  /** Headers that custom writers add. */
  readonly headers: Headers
}

/** A written body; `undefined` for a request without a body. */
export type WrittenBody = E.Either<ReadonlyArray<ValidationError>, RequestBody | undefined>

/** Encodes text in the charset of `Content-Type`. `Left` if the charset does not have a character of it. */
export const encoded = (
  contentType: string,
  content: string | Uint8Array,
): E.Either<ReadonlyArray<ValidationError>, string | Uint8Array> => {
  if (typeof content !== 'string') return E.right(content)
  try {
    return E.right(encodeFor(contentType, content))
  } catch (error) {
    return unwritable(error instanceof Error ? error.message : 'cannot be written')
  }
}

/** Creates the validation error of a body that cannot be written. */
export const unwritable = (detail: string): E.Either<ReadonlyArray<ValidationError>, never> =>
  E.left([{ in: 'body', pointer: '#', detail }])

/**
 * Checks a value with a codec before it is written. An invalid value results in the validation errors of the codec. A missing
 * value is valid if the codec accepts `undefined`, and no body is sent.
 */
export const checked = (
  codec: Codec,
  backEnd: BackEnd,
  write: (value: unknown) => Written,
): ((value: unknown) => Written) => {
  const { is, encode, decode } = compileCodec(codec, 'drop', backEnd)
  const catchErrors = (value: unknown): Written => {
    try {
      return write(value)
    } catch (error) {
      return unwritable(error instanceof Error ? error.message : 'cannot be written')
    }
  }
  return (value) => {
    try {
      if (value === null && !is(null)) return is(undefined) ? absent : missing(codec)
      if (value === undefined) return is(undefined) ? absent : missing(codec)
      if (is(value)) return catchErrors(value)
      const read = decode(encode(value))
      if (E.isLeft(read)) return E.left(DecodeErrors.bodyErrors(read.left))
    } catch {
      // a codec may throw for an invalid value
    }
    return unwritable(expectedTypes([codec.name]))
  }
}

const absent: Written = E.right(undefined)

const missing = ({ name }: Codec): Written => unwritable(expectedTypes([name], true))
