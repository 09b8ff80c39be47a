/** Converts the path of a validation error to an XPath. */
import type * as t from 'io-ts'
import { isCodec, unwrap } from '../../codec/structure/codec-structure.ts'
import type { ContentModel, Particle, XmlSchema } from '../mapping/xml-schema.ts'

/** Returns the XPath of a validation error, such as `/books/book[2]/@isbn`, without prefixes. */
export const errorPath = ({ root, models }: XmlSchema, context: t.Context): string => {
  const keys = context.filter((_, index) => isKey(context[index - 1])).map(({ key }) => key)
  const [kind] = root.alternatives
  const path = `/${(kind?.name ?? root.name).local}`
  return path + within(root, keys, models)
}

/** Returns the path below an element of a particle. */
const within = (
  particle: Particle,
  keys: ReadonlyArray<string>,
  models: ReadonlyArray<ContentModel>,
): string => {
  if (keys.length === 0) return ''
  for (const { model } of particle.alternatives) {
    const found = inside(models[model], keys, models)
    if (found !== undefined) return found
  }
  return ''
}

const inside = (
  model: ContentModel | undefined,
  [key = '', ...keys]: ReadonlyArray<string>,
  models: ReadonlyArray<ContentModel>,
): string | undefined => {
  switch (model?._tag) {
    case 'Object': {
      const attribute = model.attributes.find((one) => one.key === key)
      if (attribute !== undefined) return `/@${attribute.name.local}`
      if (model.value?.key === key) return ''
      const field = model.elements.find((one) => one.key === key)
      return field === undefined ? undefined : `/${stepsOf(field.particle, keys, models)}`
    }
    case 'Record':
      return `/${stepsOf(model.particle, keys, models, key)}`
    case 'Wrapper':
      return `/${stepsOf(model.particle, [key, ...keys], models)}`
    default:
      return undefined
  }
}

const stepsOf = (
  particle: Particle,
  keys: ReadonlyArray<string>,
  models: ReadonlyArray<ContentModel>,
  local = (particle.alternatives[0] ?? particle).name.local,
): string => {
  if (particle.occurs === 'once') return local + within(particle, keys, models)
  const [position, ...rest] = keys
  if (position === undefined) return local
  const one = particle.positions[Number(position)] ?? particle
  return `${local}[${Number(position) + 1}]${within(one, rest, models)}`
}

/** Whether a context entry is a member of a value, not the index of a codec in a union or intersection. */
const isKey = (parent: t.ContextEntry | undefined): boolean => {
  if (parent === undefined || !isCodec(parent.type)) return parent !== undefined
  const { _tag } = unwrap(parent.type)
  return _tag !== 'UnionType' && _tag !== 'IntersectionType'
}
