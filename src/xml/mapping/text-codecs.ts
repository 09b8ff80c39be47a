/** Codecs whose values map to one text: single values, unions of them, and lists of them with `xmlList`. */
import type { Codec } from '../../codec/codec.ts'
import { children, members } from '../../codec/structure/codec-structure.ts'
import type { LexicalMapping } from './lexical-mapping.ts'
import { hasLexicalMapping, leafMapping, listMapping, unionMapping } from './lexical-mapping.ts'
import { unwrap } from './unwrap-codec.ts'

const collections: ReadonlySet<string> = new Set([
  'ArrayType',
  'ReadonlyArrayType',
  'SetType',
  'TupleType',
])

/** Whether the values of a codec are lists, sets or tuples. */
export const isCollection = ({ _tag }: Codec): boolean => collections.has(_tag ?? '')

const structured: ReadonlySet<string> = new Set(['DictionaryType', 'AttemptType'])

/** Returns the lexical mapping of a codec, or `undefined` if its values do not map to one text. */
export const lexicalOf = (codec: Codec): LexicalMapping | undefined => {
  const { codecs, mappings } = unwrap(codec)
  const isList = mappings.some(({ _tag }) => _tag === 'List')
  const texts = codecs.flatMap((one) => {
    const lexical = codecs.length > 1 ? lexicalOf(one) : ofCore(one, isList)
    return lexical === undefined ? [] : [{ codec: one, lexical }]
  })
  return texts.length > 0 && texts.length === codecs.length ? unionMapping(texts) : undefined
}

const ofCore = (core: Codec, isList: boolean): LexicalMapping | undefined => {
  if (isCollection(core)) return isList ? ofCollection(core) : undefined
  // brands: the first codec determines what is read
  if (core._tag === 'IntersectionType') {
    const parts = children(core).map(lexicalOf)
    return parts.every((part) => part !== undefined) ? parts[0] : undefined
  }
  const isWhole = members(core) !== undefined || structured.has(core._tag ?? '')
  return isWhole || !hasLexicalMapping(core) ? undefined : leafMapping(core)
}

const ofCollection = (core: Codec): LexicalMapping | undefined => {
  const inside = children(core).map(lexicalOf)
  const known = inside.filter((one) => one !== undefined)
  const last = known.at(-1)
  if (last === undefined || known.length < inside.length) return undefined
  // the tuple codec rejects values after the last position
  return listMapping((position) => known[position] ?? last)
}
