/**
 * The texts of parameters: what a server has to be sent so that it reads the very value that the caller gave. A value that no
 * text stands for is not sent as another one.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { expectedTypes } from '../../codec/expected-types.ts'
import type { Codec } from '../../codec/codec.ts'
import { interpretedBackEnd } from '../../codec/generated/interpreted/interpreted-back-end.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { ParameterShape } from '../../codec/parameter/parameter-shape.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'

/** The texts of a value, in order; none for one that is left out. Or, in words, why there are none. */
export type TextsOf = (value: unknown) => E.Either<string, ReadonlyArray<string>>

/** The text of a value that has one, as most do; `undefined` for any other, of which {@link TextsOf} knows more. */
export type OnlyTextOf = (value: unknown) => string | undefined

/** Prepares the text of a parameter. */
export const onlyTextOf = (codec: Codec, shape: ParameterShape): OnlyTextOf => {
  if (shape.isCollection) return () => undefined
  const { encode, is } = compileCodec(codec, 'drop', interpretedBackEnd)
  return (value) => {
    if (value === undefined || value === null) return undefined
    try {
      if (!is(value)) return undefined
      const encoded = encode(value)
      const text = plainText(encoded, shape)
      return text !== undefined && isWhole(text, shape) && isReadAs(encoded, text, shape)
        ? text
        : undefined
    } catch {
      return undefined
    }
  }
}

/** Prepares the texts of a parameter. */
export const textsOf = (codec: Codec, shape: ParameterShape = parameterShape(codec)): TextsOf => {
  const { encode, is, decode } = compileCodec(codec, 'drop', interpretedBackEnd)
  const { isCollection, separator, isUndefinedIfMissing } = shape
  const noValue = (): t.Validation<unknown> =>
    decode(isCollection && !isUndefinedIfMissing ? [] : undefined)
  const absent = (): E.Either<string, ReadonlyArray<string>> =>
    E.isRight(noValue()) ? none : E.left(expectedTypes([codec.name], true))
  /** A collection without elements has no text, so it is read as what stands for a missing one. */
  const empty = (): E.Either<string, ReadonlyArray<string>> => {
    if (!isUndefinedIfMissing) return none
    const read = noValue()
    return E.isRight(read) && read.right === undefined
      ? none
      : E.left('is an empty collection, which is read as a missing one')
  }
  return (value) => {
    try {
      if (value === undefined || (value === null && !is(null))) return absent()
      if (!is(value)) return E.left(expectedTypes([codec.name]))
      const encoded: unknown = encode(value)
      if (encoded === undefined) return absent()
      if (!isCollection || !t.UnknownArray.is(encoded)) {
        const text = textOf(encoded, shape)
        return E.isLeft(text) ? text : E.right([text.right])
      }
      const texts: string[] = []
      for (const part of encoded) {
        const text = textOf(part, shape)
        if (E.isLeft(text)) return text
        texts.push(text.right)
      }
      if (texts.length === 0) return empty()
      return separator === undefined ? E.right(texts) : joined(texts, separator)
    } catch {
      // codecs of the application's own may throw for what is none of their values
      return E.left(expectedTypes([codec.name]))
    }
  }
}

const none: E.Either<never, ReadonlyArray<string>> = E.right(Object.freeze([]))

const joined = (
  texts: ReadonlyArray<string>,
  separator: string,
): E.Either<string, ReadonlyArray<string>> => {
  const text = texts.join(separator)
  const read = text.split(separator)
  return read.length === texts.length && read.every((part, at) => part === texts[at])
    ? E.right([text])
    : E.left(`has an element with the separator ${JSON.stringify(separator)}`)
}

/** The text of one encoded value, which a server reads as that value again. */
export const textOf = (encoded: unknown, shape: TextShape): E.Either<string, string> => {
  const text = plainText(encoded, shape)
  if (text === undefined) return E.left('is no single value')
  if (!isWhole(text, shape))
    return E.left(
      text === ''
        ? 'has an empty text, which is read as a missing one'
        : 'has half of a surrogate pair',
    )
  return isReadAs(encoded, text, shape)
    ? E.right(text)
    : E.left('has a text that is read as another value')
}

type TextShape = Pick<ParameterShape, 'keepsEmpty' | 'convert'>

const isWhole = (text: string, { keepsEmpty }: TextShape): boolean =>
  text === '' ? keepsEmpty : text.isWellFormed()

/** Negative zero may be written as `0`, because integers have no negative zero. */
const isReadAs = (encoded: unknown, text: string, { convert }: TextShape): boolean => {
  if (typeof encoded === 'bigint') return true
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
