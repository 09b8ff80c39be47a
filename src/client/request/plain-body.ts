/** Writes the request bodies that every client can write: JSON, text and bytes. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import { inputVisibility } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import { isBytes } from '../../http/platform-value.ts'
import { encodeText } from './parameter-values.ts'
import type { Written } from './written-body.ts'
import { withValidation, unwritableBody } from './written-body.ts'

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
