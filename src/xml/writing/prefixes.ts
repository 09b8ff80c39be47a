/** Assigns prefixes to the namespaces of a schema. The root element declares all of them. */
import type { QName } from '../xml-names.ts'
import { xmlNamespace } from '../xml-names.ts'
import type { ContentModel, Particle, XmlSchema } from '../mapping/xml-schema.ts'
import { escapeAttribute } from './escape.ts'

/** The prefixes of a schema. */
export interface Prefixes {
  /** The declarations for the start tag of the root element. */
  readonly declarations: string
  /** Returns the qualified name of an element. */
  readonly element: (name: QName) => string
  readonly attribute: (name: QName) => string
}

/** Assigns prefixes. The namespace of the root element is the default namespace, unless that causes a conflict. */
export const assignPrefixes = ({ root, models, prefixes: preferred }: XmlSchema): Prefixes => {
  const elements = new Set<string>()
  const attributes = new Set<string>()
  const collect = (particle: Particle): void => {
    elements.add(particle.name.namespace)
    for (const { name } of particle.alternatives) elements.add(name.namespace)
    for (const position of particle.positions) collect(position)
  }
  collect(root)
  for (const model of models) {
    for (const particle of particlesOf(model)) collect(particle)
    if (model._tag === 'Record') elements.add(model.namespace)
    if (model._tag === 'Object')
      for (const { name } of model.attributes) attributes.add(name.namespace)
  }
  const [first = ''] = root.alternatives.map(({ name }) => name.namespace)
  const isDefault = first !== '' && !elements.has('') && !preferred.has(first)
  const taken = new Set(preferred.values())
  const prefixes = new Map<string, string>()
  let count = 0
  for (const namespace of [...elements, ...attributes]) {
    const isDefaultOnly = isDefault && namespace === first && !attributes.has(namespace)
    if (namespace === '' || namespace === xmlNamespace || isDefaultOnly || prefixes.has(namespace))
      continue
    let prefix = preferred.get(namespace)
    while (prefix === undefined) {
      const next = `ns${++count}`
      if (!taken.has(next)) prefix = next
    }
    prefixes.set(namespace, prefix)
  }
  const declarations = [
    ...(isDefault ? [` xmlns="${escapeAttribute(first)}"`] : []),
    ...Array.from(
      prefixes,
      ([namespace, prefix]) => ` xmlns:${prefix}="${escapeAttribute(namespace)}"`,
    ),
  ]
  prefixes.set(xmlNamespace, 'xml')
  const attribute = ({ namespace, local }: QName): string => {
    const prefix = prefixes.get(namespace)
    return prefix === undefined ? local : `${prefix}:${local}`
  }
  return {
    declarations: declarations.join(''),
    element: (name) => (isDefault && name.namespace === first ? name.local : attribute(name)),
    attribute,
  }
}

const particlesOf = (model: ContentModel): ReadonlyArray<Particle> => {
  switch (model._tag) {
    case 'Object':
      return model.elements.map(({ particle }) => particle)
    case 'Record':
    case 'Wrapper':
      return [model.particle]
    case 'Text':
      return []
  }
}
