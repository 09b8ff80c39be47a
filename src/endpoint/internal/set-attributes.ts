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

/**
 * Gives an operation, or all of a resource or tree, names that filters can be bound to with `onlyFor`. Names add up.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { bind, get, handle, onlyFor, path, produces, responseFilter, routes, text, withFilter, withHeader } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const say = (word: string) =>
 *   pipe(
 *     path(`/${word}`),
 *     get(),
 *     produces(text),
 *     handle(() => word),
 *   )
 * const audited = pipe(responseFilter(withHeader('X-Audited', 'yes')), onlyFor('audited'))
 * const api = pipe(routes({ a: pipe(say('a'), bind('audited')), b: say('b') }), withFilter(audited))
 * const audit = async (url: string) =>
 *   (await inMemory(api)(new Request(url))).headers.get('X-Audited')
 *
 * assert.equal(await audit('http://localhost/a'), 'yes')
 * assert.equal(await audit('http://localhost/b'), null)
 * ```
 */
export const bind = (...names: ReadonlyArray<string>): Mark => mark({ names })
