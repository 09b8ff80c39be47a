/** Determines whether the encoded values of a codec can be written as text, as in parameters and in `text/plain` bodies. */
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import {
  acceptsOnlyLists,
  acceptsOnlyStructures,
} from '../../codec/standard-schema/accepted-types.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import { strict } from '../../codec/strict.ts'
import { children, isLeaf, wrapped } from '../../codec/codec-structure.ts'
import { isGenuine } from '../../codec/structure/genuine.ts'

/** The number of text values that represent a value: one, one for each element of a collection, or none for objects. */
export type TextValues = 'one' | 'many' | 'none'

/** Returns the number of text values that represent a value of a codec. Returns `one` for opaque codecs. */
export const textValues = (codec: Codec): TextValues => count(codec, [])

const count = (codec: Codec, ancestors: ReadonlyArray<Codec>): TextValues => {
  if (isLeaf(codec) || ancestors.includes(codec)) return 'one'
  const countPart = (part: Codec): TextValues => count(part, [...ancestors, codec])
  const inner = wrapped(codec)
  const values = inner === undefined ? countStructure(codec, countPart) : countPart(inner)
  return values === 'one' || isUnaltered(codec) ? values : 'one'
}

const countStructure = (codec: Codec, countPart: (part: Codec) => TextValues): TextValues => {
  switch (codec._tag ?? '') {
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
    case 'DictionaryType':
    case 'AnyDictionaryType':
    case 'AnyArrayType':
    case 'ObjectType':
      return 'none'
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'SetType':
    case 'SegmentsType':
    case 'TupleType':
    case 'RestTupleType':
      return children(codec).every((part) => countPart(part) === 'one') ? 'many' : 'none'
    case 'UnionType': {
      const counts = children(codec).map(countPart)
      return counts.includes('none') ? 'none' : counts.includes('many') ? 'many' : 'one'
    }
    case 'IntersectionType':
      return (
        children(codec)
          .map(countPart)
          .find((values) => values !== 'none') ?? 'none'
      )
    case 'StandardType':
      return isStandardType(codec) ? countSchema(codec.schema) : 'one'
    default:
      return 'one'
  }
}

const countSchema = (schema: AnySchema): TextValues =>
  acceptsOnlyLists(schema) ? 'many' : acceptsOnlyStructures(schema) ? 'none' : 'one'

/** Whether the `encode` function of a codec is the one that belongs to its tag. A replaced function can return text. */
const isUnaltered = (codec: Codec): boolean =>
  codec._tag === 'StandardType' ||
  codec.encode === t.identity ||
  codec.encode === wrapped(codec)?.encode ||
  encoders.has(String(codec.encode)) ||
  isGenuine(codec)

const other = new t.Type<string>('', t.string.is, t.string.validate, String)

/** The source texts of the `encode` functions of codecs for objects. */
const encoders: ReadonlySet<string> = new Set(
  [
    t.type({ other }),
    t.partial({ other }),
    t.record(t.string, t.string),
    t.record(t.string, other),
    t.strict({ other }),
    strict(other),
  ].map(({ encode }) => String(encode)),
)
