/**
 * Setting attributes: properties of an operation besides its contract, such as names (`bind`), execution (`blocking`) or
 * access (`rolesAllowed`).
 *
 * Attributes belong to an operation, a resource or a tree. The innermost value applies, and names accumulate.
 */
import type { Definition } from '../endpoint.ts'
import { withConflict, updateDefinition } from '../endpoint.ts'
import type { AttributeChanges } from './attributes.ts'
import { mergeAttributes } from './attributes.ts'

/** A value that can have attributes: an endpoint, complete or not, or a tree. */
export type AttributeTarget =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | { readonly _tag: 'Routes'; readonly wrappers: ReadonlyArray<unknown> }

/** A combinator that sets attributes and does not change the type. */
export type AttributeStep = <X extends AttributeTarget>(target: X) => X

/** Sets attributes: in the definition of an endpoint, or in a wrapper of a tree. */
export const setAttributes =
  (changes: AttributeChanges): AttributeStep =>
  <X extends AttributeTarget>(target: X) =>
    // only data that no type mentions changes
    withAttributes(target, changes) as X

const withAttributes = (target: AttributeTarget, changes: AttributeChanges): AttributeTarget =>
  target._tag === 'Endpoint'
    ? updateDefinition(target, (definition) => mergeInto(definition, changes))
    : Object.freeze({
        ...target,
        wrappers: Object.freeze([
          Object.freeze({ _tag: 'Attributes', changes }),
          ...target.wrappers,
        ]),
      })

/** Merges changes into a definition. Before its method is set, a definition is a resource. */
const mergeInto = (definition: Definition, changes: AttributeChanges): Definition => {
  const { attributes: before, method } = definition
  const { execution } = changes
  if (execution === undefined)
    return { ...definition, attributes: mergeAttributes(before, changes) }
  const executionScope = method === undefined ? 'resource' : 'operation'
  const attributes = mergeAttributes(before, { ...changes, executionScope })
  const after: Definition = { ...definition, attributes }
  return before.executionScope === executionScope && before.execution !== execution
    ? withConflict(after, `${executionScope} declared as both blocking and nonBlocking: keep one`)
    : after
}
