/** What stands around a codec and leaves the shape of its values alone, taken off: what it says of XML, and what is absent. */
import type { Codec } from '../../codec/codec.ts'
import { children, wrapped } from '../../codec/structure/codec-structure.ts'
import type { XmlMapping } from '../../codec/structure/xml-type.ts'
import { isXmlType } from '../../codec/structure/xml-type.ts'

export interface Stripped {
  /** What is inside: one codec, several of which values are one each, or none where only nothing is. */
  readonly codecs: ReadonlyArray<Codec>
  /** The member that tells several apart. */
  readonly tag: string | undefined
  /** The outermost first. */
  readonly mappings: ReadonlyArray<XmlMapping>
  /** Of all that was taken off, and of what is left when that is one; the outermost first. */
  readonly names: ReadonlyArray<string>
  readonly takesNull: boolean
  readonly takesUndefined: boolean
  readonly refuses: boolean
}

export const strip = (codec: Codec): Stripped => {
  const mappings: XmlMapping[] = []
  const names: string[] = []
  let [takesNull, takesUndefined, refuses] = [false, false, false]
  const found = (codecs: ReadonlyArray<Codec>, tag?: string): Stripped => ({
    codecs,
    tag,
    mappings,
    names,
    takesNull,
    takesUndefined,
    refuses,
  })
  let inside = codec
  for (;;) {
    names.push(inside.name)
    if (isXmlType(inside)) mappings.push(inside.mapping)
    switch (inside._tag) {
      case 'NullType':
        takesNull = true
        return found([])
      case 'UndefinedType':
      case 'VoidType':
        takesUndefined = true
        return found([])
      case 'UnionType': {
        const all = children(inside)
        const there = all.filter(({ _tag }) => !absent.has(_tag ?? ''))
        takesNull ||= all.some(({ _tag }) => _tag === 'NullType')
        takesUndefined ||= all.some(({ _tag }) => _tag === 'UndefinedType' || _tag === 'VoidType')
        const [only, ...others] = there
        if (only === undefined || others.length > 0) return found(there, tagOf(inside))
        inside = only
        continue
      }
      case 'ExactlyType':
        refuses = true
        break
      case 'WithDefaultType':
        takesUndefined = true
        break
      case 'AttemptType':
        return found([inside])
      default:
        break
    }
    const inner = wrapped(inside)
    if (inner === undefined) return found([inside])
    inside = inner
  }
}

type Named<T extends XmlMapping['_tag']> = Extract<XmlMapping, { readonly _tag: T }>

/** The outermost mapping of some kinds. */
export const mappingOf = <T extends XmlMapping['_tag']>(
  { mappings }: Stripped,
  ...kinds: ReadonlyArray<T>
): Named<T> | undefined => {
  const isOne = (mapping: XmlMapping): mapping is Named<T> =>
    kinds.some((kind) => kind === mapping._tag)
  return mappings.find(isOne)
}

const absent: ReadonlySet<string> = new Set(['NullType', 'UndefinedType', 'VoidType'])

const tagOf = (codec: Codec): string | undefined =>
  'tag' in codec && typeof codec.tag === 'string' ? codec.tag : undefined
