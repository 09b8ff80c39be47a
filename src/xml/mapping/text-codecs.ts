/** Which codecs have values that are one text: single values, unions of them, and lists of them that are said to be one text. */
import type { Codec } from '../../codec/codec.ts'
import { children, members } from '../../codec/structure/codec-structure.ts'
import type { Lexical } from './lexical-mapping.ts'
import { hasText, ofLeaf, ofList, ofUnion } from './lexical-mapping.ts'
import { strip } from './unwrap-codec.ts'

const collections: ReadonlySet<string> = new Set([
  'ArrayType',
  'ReadonlyArrayType',
  'SetType',
  'TupleType',
])

export const isCollection = ({ _tag }: Codec): boolean => collections.has(_tag ?? '')

const others: ReadonlySet<string> = new Set(['DictionaryType', 'AttemptType'])

/** How the values of a codec are text; `undefined` when they are not. What stands around it counts. */
export const textOf = (codec: Codec): Lexical | undefined => {
  const { codecs, mappings } = strip(codec)
  const isList = mappings.some(({ _tag }) => _tag === 'List')
  const texts = codecs.flatMap((one) => {
    const lexical = codecs.length > 1 ? textOf(one) : ofCore(one, isList)
    return lexical === undefined ? [] : [{ codec: one, lexical }]
  })
  return texts.length > 0 && texts.length === codecs.length ? ofUnion(texts) : undefined
}

const ofCore = (core: Codec, isList: boolean): Lexical | undefined => {
  if (isCollection(core)) return isList ? ofCollection(core) : undefined
  // brands: the first says what is read
  if (core._tag === 'IntersectionType') {
    const parts = children(core).map(textOf)
    return parts.every((part) => part !== undefined) ? parts[0] : undefined
  }
  const isWhole = members(core) !== undefined || others.has(core._tag ?? '')
  return isWhole || !hasText(core) ? undefined : ofLeaf(core)
}

const ofCollection = (core: Codec): Lexical | undefined => {
  const inside = children(core).map(textOf)
  const known = inside.filter((one) => one !== undefined)
  const last = known.at(-1)
  if (last === undefined || known.length < inside.length) return undefined
  // what is behind the last position of a tuple is refused by the tuple
  return ofList((position) => known[position] ?? last)
}
