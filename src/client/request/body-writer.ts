/** Writes buffered request bodies. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { inputVisibility } from '../../body/visibility.ts'
import * as Form from '../../http/form.ts'
import { textOf } from './parameter-text.ts'
import { pairsOf } from './query-writer.ts'
import type { Written } from './written-body.ts'
import { checked, unwritable } from './written-body.ts'

/** Prepares writing a body; `undefined` for a representation that the client does not write as a whole. */
export const bodyWriter = (
  content: BodyPlan,
  usual: JsonSettings,
): ((value: unknown) => Written) | undefined => {
  const { format, json, visibility: projecting } = content
  switch (format._tag) {
    case 'Form':
    case 'Provider':
      return undefined
    case 'Text':
      return format.codec === undefined ? wellFormed : scalar(format.codec, usual)
    case 'RawJson':
      return wellFormed
    case 'FormMap':
      return formMap
    default: {
      const { codec, writer } = bodyFormat(format)
      const projection = codec === undefined ? fullVisibility : inputVisibility(codec, projecting)
      const write = writer?.({ ...usual, json, visibility: projection })
      if (write === undefined) return undefined
      return codec === undefined
        ? (value) => attempted(() => write(value))
        : checked(codec, usual.backEnd, (value) => E.right(write(value)))
    }
  }
}

const formMap = (value: unknown): Written => {
  const pairs = pairsOf(value)
  return pairs === undefined
    ? unwritable('must be a map from names to lists of strings')
    : E.right(Form.format(pairs.map(([name, text]) => [name, [text]])))
}

/** Rejects lone surrogates, which UTF-8 cannot represent. */
const wellFormed = (value: unknown): Written =>
  typeof value !== 'string'
    ? unwritable('must be a string')
    : value.isWellFormed()
      ? E.right(value)
      : unwritable('has half of a surrogate pair')

const scalar = (codec: Codec, { backEnd }: JsonSettings): ((value: unknown) => Written) => {
  const shape = parameterShape(codec)
  const { encode } = compileCodec(codec, 'drop', backEnd)
  return checked(codec, backEnd, (value) => {
    const encoded = encode(value)
    if (encoded === undefined) return E.right(undefined)
    const text = textOf(encoded, shape)
    return E.isRight(text) ? text : unwritable(text.left)
  })
}

/** Converts an exception of a custom write function to a validation error. */
const attempted = (write: () => string | Uint8Array | undefined): Written => {
  try {
    return E.right(write())
  } catch (error) {
    return unwritable(error instanceof Error ? error.message : 'cannot be written')
  }
}
