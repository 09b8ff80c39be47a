/**
 * Finds the codec inside wrappers that do not change the structure of values, such as XML mappings, optional and
 * nullable codecs, and brands.
 */
import { withoutAnnotations } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import { children, wrapped, members } from '../../codec/codec-structure.ts'
import type { XmlMapping } from '../../codec/structure/known-codec.ts'
import { isXmlType } from '../../codec/structure/known-codec.ts'
import type { LexicalMapping } from './lexical-mapping.ts'
import { hasLexicalMapping, leafMapping, listMapping, unionMapping } from './lexical-mapping.ts'

/** An unwrapped codec, together with the properties that its wrappers add. */
export interface Unwrapped {
  /** The inner codec, or the codecs of a union. Empty if the only possible values are `null` and `undefined`. */
  readonly codecs: ReadonlyArray<Codec>
  /** The discriminator of a tagged union. `undefined` for any other inner codec. */
  readonly tag: string | undefined
  /** The XML mappings that wrap the inner codec, starting with the outermost. */
  readonly mappings: ReadonlyArray<XmlMapping>
  /** The names of the wrapping codecs and of the inner codec, starting with the outermost. */
  readonly names: ReadonlyArray<string>
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
  readonly rejectsUndeclared: boolean
}

/** Returns the inner codec of a wrapped codec, together with the properties that the wrappers add. */
export const unwrap = (codec: Codec): Unwrapped => {
  const mappings: XmlMapping[] = []
  const names: string[] = []
  let [allowsNull, allowsUndefined, rejectsUndeclared] = [false, false, false]
  const result = (codecs: ReadonlyArray<Codec>, tag?: string): Unwrapped => ({
    codecs,
    tag,
    mappings,
    names,
    allowsNull,
    allowsUndefined,
    rejectsUndeclared,
  })
  let current = withoutAnnotations(codec)
  for (;;) {
    // the name of a schema is that of its library
    if (!isStandardType(current)) names.push(current.name)
    if (isXmlType(current)) mappings.push(current.mapping)
    switch (current._tag) {
      case 'NullType':
        allowsNull = true
        return result([])
      case 'UndefinedType':
      case 'VoidType':
        allowsUndefined = true
        return result([])
      case 'UnionType': {
        const all = children(current)
        const present = all.filter(({ _tag }) => !absent.has(_tag ?? ''))
        allowsNull ||= all.some(({ _tag }) => _tag === 'NullType')
        allowsUndefined ||= all.some(({ _tag }) => _tag === 'UndefinedType' || _tag === 'VoidType')
        const [only, ...others] = present
        if (only === undefined || others.length > 0) return result(present, tagOf(current))
        current = withoutAnnotations(only)
        continue
      }
      case 'ExactlyType':
        rejectsUndeclared = true
        break
      case 'WithDefaultType':
        allowsUndefined = true
        break
      case 'AttemptType':
        return result([current])
      default:
        break
    }
    const inner = wrapped(current)
    if (inner === undefined) return result([current])
    current = withoutAnnotations(inner)
  }
}

type Named<T extends XmlMapping['_tag']> = Extract<XmlMapping, { readonly _tag: T }>

/** Finds the outermost mapping of one of the given kinds. */
export const findMapping = <T extends XmlMapping['_tag']>(
  { mappings }: Unwrapped,
  ...kinds: ReadonlyArray<T>
): Named<T> | undefined => {
  const isOfKind = (mapping: XmlMapping): mapping is Named<T> =>
    kinds.some((kind) => kind === mapping._tag)
  return mappings.find(isOfKind)
}

const absent: ReadonlySet<string> = new Set(['NullType', 'UndefinedType', 'VoidType'])

const tagOf = (codec: Codec): string | undefined =>
  'tag' in codec && typeof codec.tag === 'string' ? codec.tag : undefined

const collections: ReadonlySet<string> = new Set([
  'ArrayType',
  'ReadonlyArrayType',
  'SetType',
  'TupleType',
])

/** Whether a codec describes lists, sets or tuples. */
export const isCollection = ({ _tag }: Codec): boolean => collections.has(_tag ?? '')

/** Whether a codec is a collection that maps to repeated elements without a wrapper element. */
export const repeats = (core: Codec, unwrapped: Unwrapped): boolean =>
  isCollection(core) && findMapping(unwrapped, 'ElementWrapper', 'List') === undefined

const structured: ReadonlySet<string> = new Set(['DictionaryType', 'AttemptType', 'RestTupleType'])

/** Returns the lexical mapping of a codec, or `undefined` if its values have no representation as text. */
export const lexicalOf = (codec: Codec): LexicalMapping | undefined => {
  const { codecs, mappings } = unwrap(codec)
  const isList = mappings.some(({ _tag }) => _tag === 'List')
  const texts = codecs.flatMap((part) => {
    const lexical = codecs.length > 1 ? lexicalOf(part) : ofCore(part, isList)
    return lexical === undefined ? [] : [{ codec: part, lexical }]
  })
  return texts.length > 0 && texts.length === codecs.length ? unionMapping(texts) : undefined
}

const ofCore = (core: Codec, isList: boolean): LexicalMapping | undefined => {
  if (isCollection(core)) return isList ? ofCollection(core) : undefined
  // a brand may be an intersection, whose first codec determines how text is parsed
  if (core._tag === 'IntersectionType') {
    const parts = children(core).map(lexicalOf)
    return parts.every((part) => part !== undefined) ? parts[0] : undefined
  }
  const isStructured = members(core) !== undefined || structured.has(core._tag ?? '')
  return isStructured || !hasLexicalMapping(core) ? undefined : leafMapping(core)
}

const ofCollection = (core: Codec): LexicalMapping | undefined => {
  const elements = children(core).map(lexicalOf)
  const supported = elements.filter((lexical) => lexical !== undefined)
  const last = supported.at(-1)
  if (last === undefined || supported.length < elements.length) return undefined
  // later positions use the last mapping, because the tuple codec rejects surplus values
  return listMapping((position) => supported[position] ?? last)
}
