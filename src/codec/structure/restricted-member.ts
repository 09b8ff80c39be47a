/**
 * Restricts object members to views and roles.
 *
 * A restriction is part of the codec for a member. It therefore applies to all values that the framework writes with this
 * codec. `codec/visibility/visibility.ts` determines which members are hidden.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { CodecFor, CodecOrSchema } from '../standard-schema/standard-schema.ts'
import { codecFor } from '../standard-schema/standard-schema.ts'
import { isTagged } from '../../http/platform-value.ts'

/** A named selection of members. Views are compared by identity, not by name. */
export interface View {
  readonly _tag: 'View'
  readonly name: string
  /** The views whose members are also included in this view. */
  readonly extended: ReadonlyArray<View>
}

/** The condition under which a member is written. */
export type Restriction =
  | { readonly _tag: 'View'; readonly view: View }
  /** Requires the principal to have one of these roles. Role names can contain expressions. */
  | { readonly _tag: 'Roles'; readonly roles: ReadonlyArray<string> }

/** Returns whether a restriction hides its member. */
export type Hides = (restriction: Restriction) => boolean

/**
 * A codec for a restricted member.
 *
 * Exact forms (`codec/strict.ts`) omit the member or encode it with the inner codec. The `encode` function of this class always
 * throws an error, because it has no access to the view or the principal. Opaque codecs that call `encode` therefore cannot
 * leak the member.
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

/** The error thrown by the `encode` function of a restricted codec. */
export class RestrictedEncodingError extends TypeError {
  override readonly name = 'RestrictedEncodingError'
  constructor() {
    super(
      'restricted members cannot be encoded outside of responses: use unrestricted(codec).encode',
    )
  }
}

const rejectEncoding = (): never => {
  throw new RestrictedEncodingError()
}

const restricted = <C extends CodecOrSchema>(
  codec: C,
  restriction: Restriction,
): RestrictedType<CodecFor<C>> => new RestrictedType(codecFor(codec), Object.freeze(restriction))

/**
 * Whether a codec is restricted. The tag is checked instead of the class, because the codec may come from a second copy of the
 * package.
 */
export const isRestricted = (
  codec: Codec,
): codec is Codec & { readonly codec: Codec; readonly restriction: Restriction } =>
  codec._tag === 'RestrictedType' && 'restriction' in codec && 'codec' in codec

/**
 * Whether `outer` includes the members of `inner`. This is the case if both are the same view, or if `outer` directly or
 * indirectly extends `inner`.
 */
export const includesView = (outer: View, inner: View): boolean =>
  outer === inner || outer.extended.some((extended) => includesView(extended, inner))

/**
 * Creates a view, which is a named selection of members. A view also includes the members of the views in `extended`. Use
 * `inView` to add a member to a view, and `jsonView` to select the view for responses.
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
 * const send = inMemory(
 *   routes({
 *     all: book('/all'),
 *     open: pipe(book('/open'), jsonView(Public)),
 *     staff: pipe(book('/staff'), jsonView(Internal)),
 *   }),
 * )
 * const textOf = async (name: string) =>
 *   (await send(new Request(`http://localhost/${name}`))).text()
 *
 * assert.equal(await textOf('open'), '{"title":"Emma","shelf":"A"}')
 * assert.equal(await textOf('staff'), '{"title":"Emma","shelf":"A","price":12}')
 * assert.equal(await textOf('all'), await textOf('staff'))
 * ```
 */
export const view = (name: string, ...extended: ReadonlyArray<View>): View =>
  Object.freeze({
    _tag: 'View',
    name,
    extended: Object.freeze(extended.map((included) => checkView('view', included))),
  })

/** Returns a view unchanged. Throws a `TypeError` for any other value, which would select nothing. */
export const checkView = (name: string, value: View): View => {
  if (isTagged(value, 'View')) return value
  throw new TypeError(`${name}: expected a view: create it with view('name')`)
}

/**
 * Adds an object member to a view.
 *
 * If `jsonView` selects a view, the member is written only if it belongs to that view or to a view extended by it. Members
 * without a view are always written. If `jsonView` is not used, all members are written.
 *
 * The restriction applies to the whole member even if it is declared inside `optional`, refinements, unions or collections. A
 * restricted codec that is not part of an object member is a configuration error (FW-FIELD-001).
 *
 * The TypeScript type does not change. Handlers work with complete values, but clients may receive values without the member.
 */
export const inView = (
  selected: View,
): (<C extends CodecOrSchema>(codec: C) => RestrictedType<CodecFor<C>>) => {
  const restriction = { _tag: 'View', view: checkView('inView', selected) } as const
  return (codec) => restricted(codec, restriction)
}

/**
 * Writes an object member only for principals with at least one of the roles. For all other principals and for anonymous
 * callers, the member is omitted.
 *
 * The restriction applies to all responses, including JSON, streams, events, form parts and error bodies. It does not affect
 * requests. To disable the restriction, use `secureSerialization(false)`.
 *
 * A role can contain expressions. For example, `${role.payroll:accountant}` is replaced with the value of the property
 * `role.payroll`, or with `accountant` if the property is not set. The value can be a comma-separated list of roles.
 * Expressions are resolved at startup. An expression that cannot be resolved is a configuration error.
 *
 * As with `inView`, the restriction applies to the whole member. If a member also has a view, it is written only if both
 * restrictions allow it. In an untagged union, a member that is restricted in one codec is restricted in all of them. The
 * TypeScript type does not change, but clients may receive values without the member. Caches must distinguish principals,
 * because no `Vary` header is added.
 *
 * Only the framework can encode restricted members. The `encode` function of the codec throws a `TypeError`. To encode values
 * outside of responses, use `unrestricted`. An opaque codec that encodes a restricted member is a configuration error
 * (FW-FIELD-004) if it is detected at startup. Otherwise, the response status is `500`. Bodies that are not written by a codec,
 * such as text, are not filtered.
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
 * const send = inMemory(pipe(routes({ ann }), withFilter(users)))
 * const textFor = async (headers = {}) =>
 *   (await send(new Request('http://localhost/ann', { headers }))).text()
 *
 * assert.equal(await textFor(), '{"name":"Ann"}')
 * assert.equal(await textFor({ Authorization: `Basic ${btoa('reader:')}` }), '{"name":"Ann"}')
 * assert.equal(await textFor({ Authorization: `Basic ${btoa('chief:')}` }), '{"name":"Ann","salary":7}')
 * ```
 */
export const secureField =
  (...roles: readonly [string, ...string[]]) =>
  <C extends CodecOrSchema>(codec: C): RestrictedType<CodecFor<C>> =>
    restricted(codec, { _tag: 'Roles', roles: Object.freeze(roles) })
