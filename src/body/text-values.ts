/** Encodes values as the texts of parameters and headers, and decodes the texts of response headers. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec/codec.ts'
import { rejectingCodec } from '../codec/constraint.ts'
import { expectedTypes } from '../codec/from-string.ts'
import type { ParameterShape } from '../codec/schema/parameter-shape.ts'
import { parameterShape, textReader } from '../codec/schema/parameter-shape.ts'

type EncodedValues = E.Either<string, ReadonlyArray<string>>

/**
 * Encodes a value as a list of strings. Returns an empty list if the value is omitted. If the value is invalid, returns
 * a `Left` that contains the detail of the validation error.
 */
export type EncodeValues = (value: unknown) => EncodedValues

/**
 * Creates an encoder for the values of a parameter.
 *
 * A value is valid only if a server would decode the encoded strings to the original value. This ensures that a server
 * never receives a different value.
 */
export const valuesEncoder = (
  codec: Codec,
  shape: ParameterShape = parameterShape(codec),
): EncodeValues => {
  const { encode, is } = codec
  const { isCollection, separator, isUndefinedIfMissing } = shape
  const decodeMissing = (): t.Validation<unknown> =>
    codec.decode(isCollection && !isUndefinedIfMissing ? [] : undefined)
  const encodeMissing = (): EncodedValues =>
    E.isRight(decodeMissing())
      ? noValues
      : E.left(expectedTypes([rejectingCodec(codec, undefined).name], true))
  /** Encodes `null` if the text `null` does not represent it. The parameter is omitted if its default is `null`. */
  const encodeNull = (): EncodedValues => {
    const read = decodeMissing()
    return E.isRight(read) && read.right === null ? noValues : E.left(nullHasNoText)
  }
  /** Encodes an empty collection. The result contains no strings, so a server treats the collection as missing. */
  const encodeEmpty = (): EncodedValues => {
    if (!isUndefinedIfMissing) return noValues
    const read = decodeMissing()
    return E.isRight(read) && read.right === undefined
      ? noValues
      : E.left('must not be empty: an empty collection would be decoded as a missing value')
  }
  return (value) => {
    try {
      if (value === undefined || (value === null && !is(null))) return encodeMissing()
      if (!is(value)) return E.left(expectedTypes([rejectingCodec(codec, value).name]))
      const encoded: unknown = encode(value)
      if (encoded === undefined) return encodeMissing()
      if (encoded === null && (isCollection || shape.convert('null') !== null)) return encodeNull()
      if (!isCollection || !t.UnknownArray.is(encoded)) {
        const text = encodeText(encoded, shape)
        return E.isLeft(text) ? text : E.right([text.right])
      }
      const values: string[] = []
      for (const element of encoded) {
        const text = encodeText(element, shape)
        if (E.isLeft(text)) return text
        values.push(text.right)
      }
      if (values.length === 0) return encodeEmpty()
      return separator === undefined ? E.right(values) : joinValues(values, separator)
    } catch {
      // custom codecs can throw exceptions for invalid values
      return E.left(expectedTypes([codec.name]))
    }
  }
}

const nullHasNoText = 'must not be null, because no text represents null'

const noValues: E.Either<never, ReadonlyArray<string>> = E.right(Object.freeze([]))

const joinValues = (values: ReadonlyArray<string>, separator: string): EncodedValues => {
  const text = values.join(separator)
  const read = text.split(separator)
  return read.length === values.length && read.every((element, index) => element === values[index])
    ? E.right([text])
    : E.left(`must not have elements that contain the separator ${JSON.stringify(separator)}`)
}

/**
 * Converts an encoded value to a string that a server would decode to that value. If this is not possible, returns a
 * `Left` that contains the detail of the validation error.
 */
export const encodeText = (encoded: unknown, shape: TextShape): E.Either<string, string> => {
  const text = plainText(encoded, shape)
  if (text === undefined) return E.left('must be encoded as a single value')
  if (encoded === null && shape.convert(text) !== null) return E.left(nullHasNoText)
  if (!isPreserved(text, shape))
    return E.left(
      text === ''
        ? 'must not be empty: an empty string would be decoded as a missing value'
        : 'must not contain lone surrogates',
    )
  return isDecodedAs(encoded, text, shape)
    ? E.right(text)
    : E.left('is encoded as text that would be decoded as a different value')
}

type TextShape = Pick<ParameterShape, 'keepsEmpty' | 'convert' | 'parsesText'>

/** Whether a server would receive a string unchanged and would not treat it as missing. */
const isPreserved = (text: string, { keepsEmpty }: TextShape): boolean =>
  text === '' ? keepsEmpty : text.isWellFormed()

/**
 * Whether a server would decode `text` as the value `encoded`. `0` and `-0` are considered equal, because integers have
 * no negative zero.
 */
const isDecodedAs = (
  encoded: unknown,
  text: string,
  { convert, parsesText }: TextShape,
): boolean => {
  if (typeof encoded === 'bigint' || parsesText) return true
  const read = convert(text)
  return Object.is(read, encoded) || (read === 0 && encoded === 0)
}

const plainText = (encoded: unknown, { convert }: TextShape): string | undefined => {
  switch (typeof encoded) {
    case 'string':
      return encoded
    case 'number':
      return Object.is(encoded, -0) && Object.is(convert('-0'), -0) ? '-0' : String(encoded)
    case 'boolean':
    case 'bigint':
      return String(encoded)
    default:
      return encoded === null ? 'null' : undefined
  }
}

/** Creates the decoder for texts that {@link valuesEncoder} has encoded. Returns a `Left` with the requirement that they violate. */
export const valuesDecoder = (
  codec: Codec,
): ((texts: ReadonlyArray<string>) => E.Either<string, unknown>) => {
  const { split, toInput } = textReader(parameterShape(codec))
  const invalid = (isMissing: boolean): E.Either<string, never> =>
    E.left(expectedTypes([codec.name], isMissing))
  return (texts) => {
    try {
      const decoded = codec.decode(toInput(split(texts)))
      return E.isRight(decoded) ? decoded : invalid(texts.length === 0)
    } catch {
      // custom codecs can throw exceptions for invalid values
      return invalid(texts.length === 0)
    }
  }
}
