/** Reads text, in the charset that the request states, as it is or by the codec of a single value. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { ReadBody } from '../read-body.ts'
import { charsetOf, decodeBody, unreadableBody, unsupportedCharset } from '../read-body.ts'

/**
 * Without a codec, the text is the value. The empty text is missing to every codec but one of texts; to one of texts that may be
 * missing it is, where no media type says that it is a text.
 */
export const readText = (codec: Codec | undefined): ReadBody => {
  if (codec === undefined) return (octets, stated) => decodeText(octets, charsetOf(stated))
  const { keepsEmpty, convert } = parameterShape(codec)
  const mayBeMissing = keepsEmpty && isOptional(codec)
  return (octets, stated) => {
    const text = decodeText(octets, charsetOf(stated))
    if (E.isLeft(text)) return text
    const isMissing = text.right === '' && (!keepsEmpty || (mayBeMissing && stated === undefined))
    return decodeBody(codec, isMissing ? undefined : convert(text.right))
  }
}

const isOptional = (codec: Codec): boolean => {
  try {
    return E.isRight(codec.decode(undefined))
  } catch {
    return false
  }
}

/** The text of octets; 415 for a charset that is not known, 400 for octets that are not of it. */
export const decodeText = (
  octets: Uint8Array,
  charset: string,
): E.Either<RequestFailure, string> => {
  try {
    return E.right(new TextDecoder(charset, { fatal: true }).decode(octets))
  } catch (error) {
    // a label that is not known is a RangeError, octets that are not of the charset a TypeError
    return error instanceof RangeError
      ? unsupportedCharset
      : unreadableBody(`the text is not ${charset}`)
  }
}

/** The text of a piece, or of what is left when there are no more: a character in two pieces is part of the second. */
export type DecodeChunk = (piece: Uint8Array | undefined) => string

/** `undefined` for a charset that is not known. Throws for octets that are not of it. */
export const chunkDecoder = (charset: string): DecodeChunk | undefined => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return (piece) => decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    return undefined
  }
}
