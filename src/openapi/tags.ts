/** Collects the tags of operations. */
import type { Plan } from '../compiler/plan.ts'
import type { DocumentationTag } from '../endpoint/documentation.ts'
import type { TagObject } from './openapi-document.ts'

/**
 * Returns the tags of operations in the order in which they occur. `declared` tags come first. The first tag with a description
 * describes all tags with the same name.
 */
export const collectTags = (
  plans: ReadonlyArray<Plan>,
  declared: ReadonlyArray<DocumentationTag> = [],
): ReadonlyArray<TagObject> => {
  const tags = new Map<string, TagObject>()
  const all = plans.flatMap(({ attributes }) => attributes.documentation?.tags ?? [])
  for (const { name, description, externalDocs } of [...declared, ...all]) {
    const known = tags.get(name)
    if (known?.description !== undefined || known?.externalDocs !== undefined) continue
    tags.set(name, {
      name,
      ...(description === undefined ? {} : { description }),
      ...(externalDocs === undefined ? {} : { externalDocs }),
    })
  }
  return [...tags.values()]
}
