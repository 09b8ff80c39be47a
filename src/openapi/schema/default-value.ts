/** Describes default values. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { losslessCodec } from '../../codec/json/lossless.ts'
import type { WithDefaultType } from '../../codec/optional.ts'
import { unrestricted } from '../../codec/visibility/unrestricted.ts'
import { attemptTo } from './members.ts'
import type { Position } from './walk.ts'

/** Returns the keyword for a default value. Returns no keywords if the value has no JSON form. */
export const defaultOf = (
  { codec, defaultValue }: WithDefaultType<Codec>,
  { isText, isLossless }: Position,
): JsonSchema => {
  const form = isText || isLossless ? losslessCodec(codec) : codec
  const text = attemptTo((): unknown => JSON.stringify(unrestricted(form).encode(defaultValue)))
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
  return value === undefined ? {} : { default: value }
}
