/** Finds the member by which a value selects a codec of a union, according to the rules that io-ts applies to tagged unions. */
import type { Codec } from '../codec.ts'
import { children, members } from '../codec-structure.ts'
import { isKnown } from '../structure/known-codec.ts'

/** The tag of a union, and for each codec the values of the tag. */
export interface CodecTag {
  readonly key: string
  readonly values: ReadonlyArray<ReadonlyArray<unknown>>
}

/**
 * Returns the tag of a union, or `undefined` if it has none. Unlike io-ts, tags are also found in strict codecs and inside of XML
 * mappings and restrictions, unless `isOpaque` returns `true` for a codec.
 */
export const findTag = (
  codecs: ReadonlyArray<Codec>,
  isOpaque: (codec: Codec) => boolean,
): CodecTag | undefined => {
  const [first] = codecs
  for (const key of first === undefined ? [] : memberNames(first, [])) {
    const values = codecs.map((codec) => valuesOf(codec, key, isOpaque, []))
    const isTag = values.every((list) => list !== undefined)
    if (isTag && areDisjoint(values)) return { key, values }
  }
  return undefined
}

const areDisjoint = (lists: ReadonlyArray<ReadonlyArray<unknown>>): boolean =>
  lists.every((list, index) =>
    lists.slice(0, index).every((other) => !list.some((value) => other.includes(value))),
  )

/** Returns the names of all members of an object codec, including those inside of wrappers, unions and intersections. */
const memberNames = (codec: Codec, ancestors: ReadonlyArray<Codec>): ReadonlyArray<string> => {
  const props = members(codec)
  if (props !== undefined) return Object.keys(props)
  return ancestors.includes(codec)
    ? []
    : children(codec).flatMap((part) => memberNames(part, [...ancestors, codec]))
}

/** Returns the values that a codec allows for the member `tag`. Returns `undefined` if the values are not literals. */
const valuesOf = (
  codec: Codec,
  tag: string,
  isOpaque: (codec: Codec) => boolean,
  ancestors: ReadonlyArray<Codec>,
): ReadonlyArray<unknown> | undefined => {
  if (!isKnown(codec) || ancestors.includes(codec) || isOpaque(codec)) return undefined
  const inner = (part: Codec): ReadonlyArray<unknown> | undefined =>
    valuesOf(part, tag, isOpaque, [...ancestors, codec])
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType': {
      const member = codec.props[tag]
      return member === undefined ? undefined : literalValue(member, isOpaque)
    }
    case 'ExactType':
    case 'ReadonlyType':
    case 'RefinementType':
    case 'RecursiveType':
      return inner(codec.type)
    case 'ExactlyType':
    case 'RestrictedType':
    case 'XmlType':
      return inner(codec.codec)
    case 'IntersectionType': {
      const [first, ...others] = codec.types.flatMap((part) => {
        const values = inner(part)
        return values === undefined ? [] : [values]
      })
      return first?.filter((value) => others.every((values) => values.includes(value)))
    }
    case 'UnionType': {
      const all = codec.types.map(inner)
      return all.every((values) => values !== undefined) ? all.flat() : undefined
    }
    default:
      return undefined
  }
}

const literalValue = (
  codec: Codec,
  isOpaque: (codec: Codec) => boolean,
): ReadonlyArray<unknown> | undefined => {
  if (isOpaque(codec)) return undefined
  if (codec._tag === 'LiteralType') return ['value' in codec ? codec.value : undefined]
  const [inner] = transparent.has(codec._tag ?? '') ? children(codec) : []
  return inner && literalValue(inner, isOpaque)
}

const transparent: ReadonlySet<string> = new Set(['ExactlyType', 'RestrictedType', 'XmlType'])
