/** Reads the parameters of a call, and encodes their values as text. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { expectedTypes } from '../../codec/expected-types.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { interpretedBackEnd } from '../../codec/generated/interpreted/interpreted-back-end.ts'
import type { ParameterShape } from '../../codec/parameter/parameter-shape.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import type { ParameterGroup, ParameterMap } from '../../endpoint/endpoint.ts'
import type { ValidationError } from '../../http/failure.ts'

/** The input of a call. Not typed here, because JavaScript programs may pass any value. */
export type Input = Readonly<Record<string, unknown>>

/** A declared parameter, prepared for encoding. */
export interface Parameter {
  readonly group: ParameterGroup
  readonly key: string
  /** The name in the request. */
  readonly name: string
  readonly shape: ParameterShape
  readonly encodeSingle: EncodeSingle
  readonly encodeTexts: EncodeTexts
}

/** The encoded values of one parameter. */
export interface EncodedParameter {
  readonly name: string
  readonly shape: ParameterShape
  readonly texts: ReadonlyArray<string>
}

/** Prepares the parameters of a group in the order of their declaration. */
export const parametersOf = (
  group: ParameterGroup,
  codecs: ParameterMap,
  nameOf: (key: string) => string = (key) => key,
): ReadonlyArray<Parameter> =>
  Array.from(codecs, ([key, codec]) => {
    const shape = parameterShape(codec)
    return {
      group,
      key,
      name: nameOf(key),
      shape,
      encodeSingle: singleEncoder(codec, shape),
      encodeTexts: textsEncoder(codec, shape),
    }
  })

/** Encodes a valid parameter with a single text, without an array. Returns `undefined` for all others; see {@link encodeParameter}. */
export const encodeSingleParameter = (
  values: Input,
  { key, encodeSingle }: Parameter,
): string | undefined => (Object.hasOwn(values, key) ? encodeSingle(values[key]) : undefined)

/** Encodes a parameter. Returns `undefined` for a missing and for an invalid value; the latter is added to `errors`. */
export const encodeParameter = (
  values: Input,
  { group, key, name, shape, encodeTexts }: Parameter,
  errors: ValidationError[],
): EncodedParameter | undefined => {
  const texts = encodeTexts(Object.hasOwn(values, key) ? values[key] : undefined)
  if (E.isRight(texts))
    return texts.right.length === 0 ? undefined : { name, shape, texts: texts.right }
  errors.push({ in: group, name, detail: texts.left })
  return undefined
}

/** Encodes all parameters of a group. Adds invalid parameters to `errors` and omits them. */
export type EncodeGroup = (
  input: Input,
  errors: ValidationError[],
) => ReadonlyArray<EncodedParameter>

/** Prepares encoding the parameters of a group. */
export const groupEncoder = (parameters: ReadonlyArray<Parameter>): EncodeGroup => {
  const [first] = parameters
  if (first === undefined) return encodeNothing
  return (input, errors) => {
    const values = membersOf(input, first.group)
    return parameters.flatMap((parameter) => encodeParameter(values, parameter, errors) ?? [])
  }
}

const noParameters: ReadonlyArray<EncodedParameter> = Object.freeze([])
const encodeNothing: EncodeGroup = () => noParameters

/** Returns the members of a group; none if the group is missing. */
export const membersOf = (input: Input, group: string): Input => {
  const values = Object.hasOwn(input, group) ? input[group] : undefined
  return isObject(values) ? values : noMembers
}

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null

const noMembers: Input = Object.freeze({})

type Texts = E.Either<string, ReadonlyArray<string>>

/** Encodes a value as texts, in order; an omitted value has none. `Left` is the detail of the validation error. */
export type EncodeTexts = (value: unknown) => Texts

/** Encodes a value that has a single text, the common case. Returns `undefined` for all others; see {@link EncodeTexts}. */
type EncodeSingle = (value: unknown) => string | undefined

const singleEncoder = (codec: Codec, shape: ParameterShape): EncodeSingle => {
  if (shape.isCollection) return () => undefined
  const { encode, is } = compileCodec(codec, 'drop', interpretedBackEnd)
  return (value) => {
    if (value === undefined || value === null) return undefined
    try {
      if (!is(value)) return undefined
      const encoded = encode(value)
      const text = plainText(encoded, shape)
      return text !== undefined && isPreserved(text, shape) && isReadAs(encoded, text, shape)
        ? text
        : undefined
    } catch {
      return undefined
    }
  }
}

/**
 * Prepares encoding the values of a parameter.
 *
 * A server decodes the texts to the same value. A value without such texts is invalid, and is never sent as another value.
 */
export const textsEncoder = (
  codec: Codec,
  shape: ParameterShape = parameterShape(codec),
): EncodeTexts => {
  const { encode, is, decode } = compileCodec(codec, 'drop', interpretedBackEnd)
  const { isCollection, separator, isUndefinedIfMissing } = shape
  const decodeMissing = (): t.Validation<unknown> =>
    decode(isCollection && !isUndefinedIfMissing ? [] : undefined)
  const encodeMissing = (): Texts =>
    E.isRight(decodeMissing()) ? noTexts : E.left(expectedTypes([codec.name], true))
  /** An empty collection has no text, so a server reads it as a missing one. */
  const encodeEmpty = (): Texts => {
    if (!isUndefinedIfMissing) return noTexts
    const read = decodeMissing()
    return E.isRight(read) && read.right === undefined
      ? noTexts
      : E.left('must not be empty: an empty collection is decoded as a missing one')
  }
  return (value) => {
    try {
      if (value === undefined || (value === null && !is(null))) return encodeMissing()
      if (!is(value)) return E.left(expectedTypes([codec.name]))
      const encoded: unknown = encode(value)
      if (encoded === undefined) return encodeMissing()
      if (!isCollection || !t.UnknownArray.is(encoded)) {
        const text = textOf(encoded, shape)
        return E.isLeft(text) ? text : E.right([text.right])
      }
      const texts: string[] = []
      for (const element of encoded) {
        const text = textOf(element, shape)
        if (E.isLeft(text)) return text
        texts.push(text.right)
      }
      if (texts.length === 0) return encodeEmpty()
      return separator === undefined ? E.right(texts) : joinTexts(texts, separator)
    } catch {
      // custom codecs may throw for invalid values
      return E.left(expectedTypes([codec.name]))
    }
  }
}

const noTexts: E.Either<never, ReadonlyArray<string>> = E.right(Object.freeze([]))

const joinTexts = (texts: ReadonlyArray<string>, separator: string): Texts => {
  const text = texts.join(separator)
  const read = text.split(separator)
  return read.length === texts.length && read.every((element, index) => element === texts[index])
    ? E.right([text])
    : E.left(`must not have elements that contain the separator ${JSON.stringify(separator)}`)
}

/** Returns the text of one encoded value. A server decodes it to the same value. */
export const textOf = (encoded: unknown, shape: TextShape): E.Either<string, string> => {
  const text = plainText(encoded, shape)
  if (text === undefined) return E.left('must be encoded as a single value')
  if (!isPreserved(text, shape))
    return E.left(
      text === ''
        ? 'must not be empty: an empty text is decoded as a missing one'
        : 'must not contain lone surrogates',
    )
  return isReadAs(encoded, text, shape)
    ? E.right(text)
    : E.left('has a text that is decoded as another value')
}

type TextShape = Pick<ParameterShape, 'keepsEmpty' | 'convert'>

/** Whether a server receives a text unchanged, and not as a missing one. */
const isPreserved = (text: string, { keepsEmpty }: TextShape): boolean =>
  text === '' ? keepsEmpty : text.isWellFormed()

/** Whether a text is decoded as a value. Negative zero may be written as `0`, because integers have no negative zero. */
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
