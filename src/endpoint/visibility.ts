/** Visibility of members: views, and restrictions to roles. */
import type { View } from '../codec/visibility/restricted-member.ts'
import type { AttributeStep, AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { AnyRepresentation } from './representation.ts'

/** A combinator that selects a view and does not change the type. */
export type ChooseView = <X extends AttributeTarget | AnyRepresentation>(of: X) => X

/**
 * Selects the view (see `view`) whose members are written.
 *
 * On an operation, a resource or a tree, it applies to all responses, including errors; the innermost view wins.
 * Members without a view are always written. On a representation, it applies to that one only, and also to bodies that
 * are read: members outside the view are ignored. A required member outside the view of a body is a configuration
 * error (`FW-FIELD-002`).
 *
 * A `writer` with a codec as `of` receives complete values, and must apply views itself.
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
    // only data that no type mentions changes
    (of._tag === 'Representation'
      ? Object.freeze({ ...of, view })
      : setAttributes({ view })(of)) as X

/**
 * Enables or disables the restrictions of `secureField` for an operation, a resource or a tree. The innermost value
 * applies. Default: enabled. Role expressions are resolved in any case.
 */
export const secureSerialization = (secure: boolean): AttributeStep => setAttributes({ secure })
