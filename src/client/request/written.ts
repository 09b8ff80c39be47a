/** A body as it is written: what is sent, or what is wrong with the value. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { encodeFor } from '../../body/text/charset.ts'
import * as Faults from '../../body/decode-errors.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { BodyContent } from './body-content.ts'

/** `undefined` for a body that is left out. */
export type Written = E.Either<ReadonlyArray<ValidationError>, string | Uint8Array | undefined>

/** What stands in a request for its body. */
export interface RequestBody {
  readonly contentType: string
  readonly content: BodyContent
  /** What writers have added. */
  readonly headers: Headers
}

/** `undefined` for a body that is left out. */
export type WrittenBody = E.Either<ReadonlyArray<ValidationError>, RequestBody | undefined>

/** Encodes the text of a body in the charset that its `Content-Type` announces. */
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

export const unwritable = (detail: string): E.Either<ReadonlyArray<ValidationError>, never> =>
  E.left([{ in: 'body', pointer: '#', detail }])

/** Writes values of a codec, and says of others where they are none. A codec of `undefined` has a body that is left out. */
export const checked = (
  codec: Codec,
  backEnd: BackEnd,
  write: (value: unknown) => Written,
): ((value: unknown) => Written) => {
  const { is, encode, decode } = compileCodec(codec, 'drop', backEnd)
  const written = (value: unknown): Written => {
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
      if (is(value)) return written(value)
      const read = decode(encode(value))
      if (E.isLeft(read)) return E.left(Faults.bodyErrors(read.left))
    } catch {
      // what is none of its values may be too much for a codec
    }
    return unwritable(`has to be: ${codec.name}`)
  }
}

const absent: Written = E.right(undefined)

const missing = ({ name }: Codec): Written => unwritable(`is required: ${name}`)
