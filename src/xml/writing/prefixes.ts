/** The prefixes of a shape: all are declared at the root, so that nothing else has to be. */
import type { QName } from '../xml-names.ts'
import { xmlNamespace } from '../xml-names.ts'
import type { Content, Particle, Shape } from '../mapping/xml-schema.ts'
import { escapedAttribute } from './escape.ts'

export interface Prefixes {
  /** What declares them, as it stands in the tag of the root. */
  readonly declarations: string
  /** An element's name as it is written. */
  readonly element: (name: QName) => string
  readonly attribute: (name: QName) => string
}

/** The namespace of the root is the default one, unless that would stand in somebody's way. */
export const prefixesOf = ({ root, contents, prefixes: wanted }: Shape): Prefixes => {
  const elements = new Set<string>()
  const attributes = new Set<string>()
  const see = (particle: Particle): void => {
    elements.add(particle.name.namespace)
    for (const { name } of particle.alternatives) elements.add(name.namespace)
    for (const position of particle.positions) see(position)
  }
  see(root)
  for (const content of contents) {
    for (const particle of particlesOf(content)) see(particle)
    if (content._tag === 'Entries') elements.add(content.namespace)
    if (content._tag === 'Fields')
      for (const { name } of content.attributes) attributes.add(name.namespace)
  }
  const [first = ''] = root.alternatives.map(({ name }) => name.namespace)
  const isDefault = first !== '' && !elements.has('') && !wanted.has(first)
  const taken = new Set(wanted.values())
  const prefixes = new Map<string, string>()
  let count = 0
  for (const namespace of [...elements, ...attributes]) {
    const needsNone = isDefault && namespace === first && !attributes.has(namespace)
    if (namespace === '' || namespace === xmlNamespace || needsNone || prefixes.has(namespace))
      continue
    let prefix = wanted.get(namespace)
    while (prefix === undefined) {
      const next = `ns${++count}`
      if (!taken.has(next)) prefix = next
    }
    prefixes.set(namespace, prefix)
  }
  const said = [
    ...(isDefault ? [` xmlns="${escapedAttribute(first)}"`] : []),
    ...Array.from(
      prefixes,
      ([namespace, prefix]) => ` xmlns:${prefix}="${escapedAttribute(namespace)}"`,
    ),
  ]
  prefixes.set(xmlNamespace, 'xml')
  const attribute = ({ namespace, local }: QName): string => {
    const prefix = prefixes.get(namespace)
    return prefix === undefined ? local : `${prefix}:${local}`
  }
  return {
    declarations: said.join(''),
    element: (name) => (isDefault && name.namespace === first ? name.local : attribute(name)),
    attribute,
  }
}

const particlesOf = (content: Content): ReadonlyArray<Particle> => {
  switch (content._tag) {
    case 'Fields':
      return content.elements.map(({ particle }) => particle)
    case 'Entries':
    case 'Items':
      return [content.particle]
    case 'Text':
      return []
  }
}
