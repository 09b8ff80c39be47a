/**
 * Views and role restrictions of object members.
 *
 * A restriction is part of a codec, so it applies wherever the framework writes values with that codec. It hides the object
 * member whose codec it is, see `codec/visibility/visibility.ts`.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'

/** A named selection of members. Views are compared by identity, not by name. */
export interface View {
  readonly _tag: 'View'
  readonly name: string
  /** Views whose members this view includes. */
  readonly extended: ReadonlyArray<View>
}

/** The condition under which a member is written. */
export type Restriction =
  | { readonly _tag: 'View'; readonly view: View }
  /** The principal needs one of these roles. Each may contain expressions. */
  | { readonly _tag: 'Roles'; readonly roles: ReadonlyArray<string> }

/** Whether a restriction hides the member that has it. */
export type Hides = (restriction: Restriction) => boolean

/**
 * A codec of a restricted member.
 *
 * Exact forms (`codec/structure/exact-form.ts`) omit the member or encode it with the inner codec. `encode` itself throws: it
 * does not know the view or the principal, so an opaque codec that calls it cannot leak the member.
 */
export class RestrictedType<C extends t.Mixed> extends t.Type<
  t.TypeOf<C>,
  t.OutputOf<C> | undefined
> {
  readonly _tag = 'RestrictedType' as const
  readonly codec: C
  readonly restriction: Restriction
  constructor(codec: C, restriction: Restriction) {
    super(codec.name, codec.is, codec.validate, rejectEncoding)
    this.codec = codec
    this.restriction = restriction
  }
}

/** Thrown by the `encode` function of a restricted codec. */
export class RestrictedEncodingError extends TypeError {
  override readonly name = 'RestrictedEncodingError'
  constructor() {
    super(
      'cannot encode a restricted member: only responses can, or use unrestricted(codec).encode',
    )
  }
}

const rejectEncoding = (): never => {
  throw new RestrictedEncodingError()
}

const restricted = <C extends t.Mixed>(codec: C, restriction: Restriction): RestrictedType<C> =>
  new RestrictedType(codec, Object.freeze(restriction))

/** Whether a codec is restricted. Checks the tag, because codecs of a second copy of the package count too. */
export const isRestricted = (
  codec: Codec,
): codec is Codec & { readonly codec: Codec; readonly restriction: Restriction } =>
  codec._tag === 'RestrictedType' && 'restriction' in codec && 'codec' in codec

/** Whether a view includes the members of another view: the same view, or one that it extends directly or indirectly. */
export const includesView = (one: View, other: View): boolean =>
  one === other || one.extended.some((extended) => includesView(extended, other))

/**
 * Creates a view: a named selection of members, for `inView` and `jsonView`. It also includes the members of the views that it
 * extends.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, inView, json, jsonView, path, produces, routes, view } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Public = view('Public')
 * const Internal = view('Internal', Public)
 * const Book = t.type({
 *   title: t.string,
 *   shelf: inView(Public)(t.string),
 *   price: inView(Internal)(t.number),
 * })
 * const emma = { title: 'Emma', shelf: 'A', price: 12 }
 * const book = (name: string) => pipe(path(name), get(), produces(json(Book)), handle(() => emma))
 * const call = inMemory(
 *   routes({
 *     all: book('/all'),
 *     open: pipe(book('/open'), jsonView(Public)),
 *     staff: pipe(book('/staff'), jsonView(Internal)),
 *   }),
 * )
 * const sent = async (name: string) =>
 *   (await call(new Request(`http://localhost/${name}`))).text()
 *
 * assert.equal(await sent('open'), '{"title":"Emma","shelf":"A"}')
 * assert.equal(await sent('staff'), '{"title":"Emma","shelf":"A","price":12}')
 * assert.equal(await sent('all'), await sent('staff'))
 * ```
 */
export const view = (name: string, ...extended: ReadonlyArray<View>): View =>
  Object.freeze({ _tag: 'View', name, extended: Object.freeze(extended) })

/**
 * Adds an object member to a view.
 *
 * Where `jsonView` selects a view, the member is written if it is in that view or in one that the view extends. Members without
 * a view are always written. Without `jsonView`, all members are written.
 *
 * The restriction applies to the member, also through `optional`, refinements, unions and collections. A restricted codec that
 * is not part of an object member is a configuration error (FW-FIELD-001).
 *
 * The type of the values does not change: handlers see complete values, but a client may find the member missing.
 */
export const inView =
  (of: View) =>
  <C extends t.Mixed>(codec: C): RestrictedType<C> =>
    restricted(codec, { _tag: 'View', view: of })

/**
 * Writes an object member only for principals with at least one of the roles. It is omitted for all others, and for anonymous
 * callers.
 *
 * The restriction applies to all responses: JSON, streams, events, form parts and error bodies. It does not affect requests.
 * `secureSerialization(false)` disables it.
 *
 * A role may contain expressions: `${role.payroll:accountant}` is the property `role.payroll`, or `accountant` if it is not set. A
 * comma-separated list stands for several roles. Expressions are resolved at startup; an unresolved one is a configuration error.
 *
 * As with `inView`, the restriction applies to the member. A member with a view is written if both conditions allow it. In a
 * union without a tag, a member that is restricted in one codec is restricted in all of them. The type of the values does not
 * change, but a client may find the member missing. Caches need to distinguish principals: no `Vary` header is added.
 *
 * Only the framework encodes restricted members. `encode` of the codec itself throws a `TypeError`; use `unrestricted` to encode
 * values outside of responses. An opaque codec that encodes a restricted member is a configuration error (FW-FIELD-004) if this
 * can be detected at startup, and otherwise results in 500. Bodies that no codec writes, such as text, are not filtered.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { basic, get, handle, json, path, produces, routes, secureField, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Member = t.type({ name: t.string, salary: secureField('payroll', 'chief')(t.number) })
 * const ann = pipe(
 *   path('/ann'),
 *   get(),
 *   produces(json(Member)),
 *   handle(() => ({ name: 'Ann', salary: 7 })),
 * )
 * const users = basic({ realm: 'library', verify: ({ user }) => ({ name: user, roles: [user] }) })
 * const call = inMemory(pipe(routes({ ann }), withFilter(users)))
 * const sent = async (headers = {}) =>
 *   (await call(new Request('http://localhost/ann', { headers }))).text()
 *
 * assert.equal(await sent(), '{"name":"Ann"}')
 * assert.equal(await sent({ Authorization: `Basic ${btoa('reader:')}` }), '{"name":"Ann"}')
 * assert.equal(await sent({ Authorization: `Basic ${btoa('chief:')}` }), '{"name":"Ann","salary":7}')
 * ```
 */
export const secureField =
  (...roles: readonly [string, ...string[]]) =>
  <C extends t.Mixed>(codec: C): RestrictedType<C> =>
    restricted(codec, { _tag: 'Roles', roles: Object.freeze(roles) })
