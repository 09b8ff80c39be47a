/**
 * Marks: what is said of an operation beside its contract, by name (`bind`), about threads (`blocking`) or about who may call
 * it (`rolesAllowed`). They stand on an operation, on a resource or on a tree, and the nearest wins; names add up.
 */
import type { Definition } from '../endpoint.ts'
import { withConflict, updateDefinition } from '../endpoint.ts'
import type { AttributeChanges } from './attributes.ts'
import { mergeAttributes } from './attributes.ts'

/** What can be marked: an endpoint of any stage, or a tree. */
export type AttributeTarget =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | { readonly _tag: 'Routes'; readonly wrappers: ReadonlyArray<unknown> }

/** A step that marks an endpoint or a tree and leaves no trace in its type. */
export type AttributeStep = <X extends AttributeTarget>(marked: X) => X

/** Marks an endpoint in its definition and a tree by something put around it. */
export const setAttributes =
  (marking: AttributeChanges): AttributeStep =>
  <X extends AttributeTarget>(marked: X) =>
    // what comes out is what went in, with one datum said anew that no type tells of
    withAttributes(marked, marking) as X

const withAttributes = (marked: AttributeTarget, marking: AttributeChanges): AttributeTarget =>
  marked._tag === 'Endpoint'
    ? updateDefinition(marked, (definition) => mergeInto(definition, marking))
    : Object.freeze({
        ...marked,
        wrappers: Object.freeze([
          Object.freeze({ _tag: 'Attributes', changes: marking }),
          ...marked.wrappers,
        ]),
      })

/** What is said before the method is said of the resource. One of them cannot be told two executions. */
const mergeInto = (definition: Definition, marking: AttributeChanges): Definition => {
  const { execution } = marking
  if (execution === undefined)
    return { ...definition, attributes: mergeAttributes(definition.attributes, marking) }
  const executionScope = definition.method === undefined ? 'resource' : 'operation'
  const before = definition.attributes
  const after = {
    ...definition,
    attributes: mergeAttributes(before, { ...marking, executionScope }),
  }
  return before.executionScope === executionScope && before.execution !== execution
    ? withConflict(after, `its ${executionScope} is said to be blocking and nonBlocking: say one`)
    : after
}
