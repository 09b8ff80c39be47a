/** What is said of restrictions: which view is written, and whether those by roles hold. */
import type { View } from '../codec/visibility/restricted-member.ts'
import type { AttributeStep, AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { AnyRepresentation } from './representation.ts'

/** Chooses a view for an operation, a resource, a tree or a representation, and leaves no trace in its type. */
export type ChooseView = <X extends AttributeTarget | AnyRepresentation>(of: X) => X

/**
 * Writes only the members of a view, see `view`: of all that an operation answers, also as an error, or of all operations of a
 * resource or tree; the nearest wins. Members in no view are always written. On a representation it is about that one alone, and
 * a body is read by it: members outside of the view are ignored, as if they had not been sent. One of them that is required is a
 * mistake when the tree is compiled.
 *
 * A `writer` that is made for the codec is given whole values and has to look after views itself.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, inView, json, jsonView, optional, path, post, produces, routes, view } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Public = view('Public')
 * const Internal = view('Internal', Public)
 * const Book = t.type({ title: t.string, approved: inView(Internal)(optional(t.boolean)) })
 * const propose = pipe(
 *   path('/books'),
 *   post(),
 *   body(jsonView(Public)(json(Book))),
 *   produces(json(Book)),
 *   handle((input) => input.body),
 * )
 * const sent = new Request('http://localhost/books', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json' },
 *   body: '{"title":"Emma","approved":true}',
 * })
 *
 * assert.equal(await (await inMemory(routes({ propose }))(sent)).text(), '{"title":"Emma"}')
 * ```
 */
export const jsonView =
  (view: View): ChooseView =>
  <X extends AttributeTarget | AnyRepresentation>(of: X): X =>
    // what comes out is what went in, with one datum said anew that no type tells of
    (of._tag === 'Representation'
      ? Object.freeze({ ...of, view })
      : setAttributes({ view })(of)) as X

/**
 * Whether the restrictions of `secureField` hold for an operation, or for all of a resource or tree; the nearest wins. They do
 * where nothing is said. Their roles are resolved at the start all the same.
 */
export const secureSerialization = (secure: boolean): AttributeStep => setAttributes({ secure })
