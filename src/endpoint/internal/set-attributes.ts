/**
 * Marks: what is said of an operation beside its contract, by name (`bind`), about threads (`blocking`) or about who may call
 * it (`rolesAllowed`). They stand on an operation, on a resource or on a tree, and the nearest wins; names add up.
 */
import type { Definition } from '../endpoint.ts'
import { contradicted, redefine } from '../endpoint.ts'
import type { Marking } from './attributes.ts'
import { nearer } from './attributes.ts'

/** What can be marked: an endpoint of any stage, or a tree. */
export type Markable =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | { readonly _tag: 'Routes'; readonly wraps: ReadonlyArray<unknown> }

/** A step that marks an endpoint or a tree and leaves no trace in its type. */
export type Mark = <X extends Markable>(marked: X) => X

/** Marks an endpoint in its definition and a tree by something put around it. */
export const mark =
  (marking: Marking): Mark =>
  <X extends Markable>(marked: X) =>
    // what comes out is what went in, with one datum said anew that no type tells of
    marks(marked, marking) as X

const marks = (marked: Markable, marking: Marking): Markable =>
  marked._tag === 'Endpoint'
    ? redefine(marked, (definition) => markedAs(definition, marking))
    : Object.freeze({
        ...marked,
        wraps: Object.freeze([Object.freeze({ _tag: 'Marks', marking }), ...marked.wraps]),
      })

/** What is said before the method is said of the resource. One of them cannot be told two executions. */
const markedAs = (definition: Definition, marking: Marking): Definition => {
  const { execution } = marking
  if (execution === undefined) return { ...definition, marks: nearer(definition.marks, marking) }
  const executionOf = definition.method === undefined ? 'resource' : 'operation'
  const before = definition.marks
  const after = { ...definition, marks: nearer(before, { ...marking, executionOf }) }
  return before.executionOf === executionOf && before.execution !== execution
    ? contradicted(after, `its ${executionOf} is said to be blocking and nonBlocking: say one`)
    : after
}
