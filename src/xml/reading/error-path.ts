/** Where in a document a value stands, given where it stands in the value that the codec decodes: an XPath. */
import type * as t from 'io-ts'
import { unwrap, isCodec } from '../../codec/structure/codec-structure.ts'
import type { Content, Particle, Shape } from '../mapping/xml-schema.ts'

/** The XPath of the value that an error is about: `/books/book[2]/@isbn`. Prefixes are left out. */
export const pointerOf = ({ root, contents }: Shape, context: t.Context): string => {
  const keys = context.filter((_, index) => isKey(context[index - 1])).map(({ key }) => key)
  const [kind] = root.alternatives
  const path = `/${(kind?.name ?? root.name).local}`
  return path + within(root, keys, contents)
}

/** Below an element of a particle. */
const within = (
  particle: Particle,
  keys: ReadonlyArray<string>,
  contents: ReadonlyArray<Content>,
): string => {
  if (keys.length === 0) return ''
  for (const { content } of particle.alternatives) {
    const found = inside(contents[content], keys, contents)
    if (found !== undefined) return found
  }
  return ''
}

const inside = (
  content: Content | undefined,
  [key = '', ...keys]: ReadonlyArray<string>,
  contents: ReadonlyArray<Content>,
): string | undefined => {
  switch (content?._tag) {
    case 'Fields': {
      const attribute = content.attributes.find((one) => one.key === key)
      if (attribute !== undefined) return `/@${attribute.name.local}`
      if (content.value?.key === key) return ''
      const field = content.elements.find((one) => one.key === key)
      return field === undefined ? undefined : `/${stepsOf(field.particle, keys, contents)}`
    }
    case 'Entries':
      return `/${stepsOf(content.particle, keys, contents, key)}`
    case 'Items':
      return `/${stepsOf(content.particle, [key, ...keys], contents)}`
    default:
      return undefined
  }
}

const stepsOf = (
  particle: Particle,
  keys: ReadonlyArray<string>,
  contents: ReadonlyArray<Content>,
  local = (particle.alternatives[0] ?? particle).name.local,
): string => {
  if (particle.occurs === 'once') return local + within(particle, keys, contents)
  const [position, ...rest] = keys
  if (position === undefined) return local
  const one = particle.positions[Number(position)] ?? particle
  return `${local}[${Number(position) + 1}]${within(one, rest, contents)}`
}

/** Positions among the members of a union or intersection are no places. */
const isKey = (parent: t.ContextEntry | undefined): boolean => {
  if (parent === undefined || !isCodec(parent.type)) return parent !== undefined
  const { _tag } = unwrap(parent.type)
  return _tag !== 'UnionType' && _tag !== 'IntersectionType'
}
