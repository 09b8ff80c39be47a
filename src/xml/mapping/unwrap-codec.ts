/** Unwraps codecs that do not change the structure of values: mappings to XML, optional and nullable values, brands. */
import type { Codec } from '../../codec/codec.ts'
import { children, wrapped } from '../../codec/structure/codec-structure.ts'
import type { XmlMapping } from '../../codec/structure/xml-type.ts'
import { isXmlType } from '../../codec/structure/xml-type.ts'

/** The result of {@link unwrap}. */
export interface Unwrapped {
  /** The inner codec; several for a union; none if the only value is `null` or `undefined`. */
  readonly codecs: ReadonlyArray<Codec>
  /** The discriminator of the union. */
  readonly tag: string | undefined
  /** The mappings of the wrappers, the outermost first. */
  readonly mappings: ReadonlyArray<XmlMapping>
  /** The names of the wrappers and of the inner codec, the outermost first. */
  readonly names: ReadonlyArray<string>
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
  readonly rejectsUndeclared: boolean
}

/** Unwraps a codec. */
export const unwrap = (codec: Codec): Unwrapped => {
  const mappings: XmlMapping[] = []
  const names: string[] = []
  let [allowsNull, allowsUndefined, rejectsUndeclared] = [false, false, false]
  const found = (codecs: ReadonlyArray<Codec>, tag?: string): Unwrapped => ({
    codecs,
    tag,
    mappings,
    names,
    allowsNull,
    allowsUndefined,
    rejectsUndeclared,
  })
  let inside = codec
  for (;;) {
    names.push(inside.name)
    if (isXmlType(inside)) mappings.push(inside.mapping)
    switch (inside._tag) {
      case 'NullType':
        allowsNull = true
        return found([])
      case 'UndefinedType':
      case 'VoidType':
        allowsUndefined = true
        return found([])
      case 'UnionType': {
        const all = children(inside)
        const there = all.filter(({ _tag }) => !absent.has(_tag ?? ''))
        allowsNull ||= all.some(({ _tag }) => _tag === 'NullType')
        allowsUndefined ||= all.some(({ _tag }) => _tag === 'UndefinedType' || _tag === 'VoidType')
        const [only, ...others] = there
        if (only === undefined || others.length > 0) return found(there, tagOf(inside))
        inside = only
        continue
      }
      case 'ExactlyType':
        rejectsUndeclared = true
        break
      case 'WithDefaultType':
        allowsUndefined = true
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

/** Finds the outermost mapping of the given kinds. */
export const findMapping = <T extends XmlMapping['_tag']>(
  { mappings }: Unwrapped,
  ...kinds: ReadonlyArray<T>
): Named<T> | undefined => {
  const isOne = (mapping: XmlMapping): mapping is Named<T> =>
    kinds.some((kind) => kind === mapping._tag)
  return mappings.find(isOne)
}

const absent: ReadonlySet<string> = new Set(['NullType', 'UndefinedType', 'VoidType'])

const tagOf = (codec: Codec): string | undefined =>
  'tag' in codec && typeof codec.tag === 'string' ? codec.tag : undefined
