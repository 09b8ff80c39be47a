/** Codecs of every kind with a member that only the role `chief` may read, each with a value. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  attempt,
  authentication,
  strict,
  fromString,
  authenticateAs,
  instant,
  list,
  optional,
  secureField,
  set,
  string,
  withDefault,
} from '../../src/index.ts'
import { withMessage } from './unusual-codecs.ts'

/** The text of restricted members. */
export const canary = 'CANARY-7e1f'

/** The text of unrestricted members. */
export const plain = 'PLAIN-52ab'

/** Authenticates requests by a header with the name and the roles of the principal: `X-User: ann reader editor`. */
export const headerAuthentication = authentication({ challenge: 'Test' }, ({ request }) => {
  const user = request.header('X-User')
  if (user === undefined) return undefined
  const [name = '', ...roles] = user.split(' ')
  return authenticateAs({ name, roles })
})

const secured = secureField('chief')
const at = pipe(
  instant.decode('2020-01-01T00:00:00Z'),
  E.getOrElseW(() => undefined),
)

export const User = t.type({ name: t.string, secret: secured(t.string) })
export const user = { name: plain, secret: canary }

interface Node {
  readonly name: string
  readonly secret: string
  readonly children: ReadonlyArray<Node>
}
const Tree: t.Type<Node, unknown> = t.recursion('Tree', () =>
  t.type({ name: t.string, secret: secured(t.string), children: list(Tree) }),
)

/** A recursive codec that creates new codecs at each level. */
const endless = (): t.Mixed =>
  t.recursion('Endless', () =>
    t.type({ name: t.string, secret: secured(t.string), next: list(endless()) }),
  )

/** Creates an opaque codec that delegates to another codec. */
export const opaqueOf = (inner: t.Mixed): t.Mixed =>
  new t.Type('Opaque', inner.is, inner.validate, (value: unknown): unknown => inner.encode(value))

interface Named {
  readonly name: string
}

class Person {
  readonly name = plain
  readonly #secret = canary
  get secret(): string {
    return this.#secret
  }
  toJSON(): unknown {
    return { name: this.name, secret: this.#secret }
  }
}

const Branded = t.brand(
  User,
  (value): value is t.Branded<Named & { secret: string }, { readonly Named: symbol }> =>
    value.name !== '',
  'Named',
)
const Word = t.brand(
  secured(t.string),
  (word): word is t.Branded<string, { readonly Word: symbol }> => word !== '',
  'Word',
)

const Tagged = t.union([
  t.type({ kind: t.literal('a'), name: t.string, secret: secured(t.string) }),
  t.type({ kind: t.literal('b'), name: t.string }),
])

const Numbered = t.union([
  t.type({ kind: t.literal(1), name: t.string, secret: secured(t.string) }),
  t.type({ kind: t.literal(2), name: t.string }),
])

export interface Shape {
  readonly name: string
  readonly codec: t.Type<unknown, unknown>
  readonly value: unknown
}

/** Creates a shape. The types of codec and value need not match, as in handlers that return subtypes. */
const shape = (name: string, codec: t.Mixed, value: unknown): Shape => ({ name, codec, value })

/** Shapes whose encoded value contains {@link plain} for all callers, and {@link canary} for a chief. */
export const shapes: ReadonlyArray<Shape> = [
  shape('plain', User, user),
  shape('list', list(User), [user, user]),
  shape('array', t.array(User), [user]),
  shape('set', set(User), new Set([user])),
  shape('tuple', t.tuple([t.string, User]), [plain, user]),
  shape('record', t.record(t.string, User), { ann: user }),
  shape('nested', t.type({ at: instant, user: User }), { at, user }),
  shape('optional member', t.type({ name: t.string, secret: optional(secured(t.string)) }), user),
  shape('optional inside', t.type({ name: t.string, secret: secured(optional(t.string)) }), user),
  shape('default', t.type({ name: t.string, secret: withDefault(secured(t.string), 'x') }), user),
  shape('nullable', t.type({ name: t.string, secret: t.union([secured(t.string), t.null]) }), user),
  shape('partial', t.partial({ name: t.string, secret: secured(t.string) }), user),
  shape('strict', t.strict({ name: t.string, secret: secured(t.string) }), user),
  shape('t.exact', t.exact(t.type({ name: t.string, secret: secured(t.string) })), user),
  shape('exact', strict(User), user),
  shape('readonly', t.readonly(User), user),
  shape(
    'refined',
    t.refinement(User, ({ name }) => name !== ''),
    user,
  ),
  shape(
    'refined member',
    t.type({ name: t.string, secret: t.refinement(secured(t.string), (text) => text !== '') }),
    user,
  ),
  shape('secured list', t.type({ name: t.string, secrets: secured(list(t.string)) }), {
    name: plain,
    secrets: [canary],
  }),
  shape('list of secured', t.type({ name: t.string, secrets: list(secured(t.string)) }), {
    name: plain,
    secrets: [canary],
  }),
  shape('set of secured', t.type({ name: t.string, secrets: set(secured(t.string)) }), {
    name: plain,
    secrets: new Set([canary]),
  }),
  shape(
    'tuple of secured',
    t.type({ name: t.string, both: t.tuple([t.string, secured(t.string)]) }),
    {
      name: plain,
      both: ['', canary],
    },
  ),
  shape(
    'record of secured',
    t.type({ name: t.string, all: t.record(t.string, secured(t.string)) }),
    {
      name: plain,
      all: { a: canary },
    },
  ),
  shape(
    'secured object',
    t.type({ name: t.string, secret: secured(t.type({ inner: t.string })) }),
    { name: plain, secret: { inner: canary } },
  ),
  shape('tagged union', Tagged, { kind: 'a', name: plain, secret: canary }),
  shape('untagged union', t.union([t.type({ id: t.number }), User]), user),
  shape('union of alike', t.union([t.type({ name: t.string, secret: t.number }), User]), user),
  shape('union with anything', t.union([User, t.UnknownRecord]), user),
  shape(
    'intersection',
    t.intersection([t.type({ name: t.string }), t.type({ secret: secured(t.string) })]),
    user,
  ),
  shape(
    'intersection with the same member',
    t.intersection([t.type({ name: t.string, secret: t.string }), User]),
    user,
  ),
  shape('intersection with a record', t.intersection([User, t.record(t.string, t.string)]), user),
  shape('intersection with anything', t.intersection([User, t.UnknownRecord]), user),
  shape(
    'intersection with anything below',
    t.intersection([t.type({ user: User }), t.type({ user: t.UnknownRecord })]),
    { user },
  ),
  shape('recursive', Tree, { ...user, children: [{ ...user, children: [] }] }),
  shape('endless', endless(), { ...user, next: [{ ...user, next: [] }] }),
  shape('branded', Branded, user),
  shape('branded member', t.type({ name: t.string, secret: Word }), user),
  shape('readonly array', t.readonlyArray(User), [user]),
  shape('readonly member', t.type({ name: t.string, secret: t.readonly(secured(t.string)) }), user),
  shape('record of lists', t.record(t.string, list(User)), { all: [user] }),
  shape('list of unions', list(Tagged), [
    { kind: 'a', ...user },
    { kind: 'b', name: plain },
  ]),
  shape('tagged by numbers', Numbered, { kind: 1, ...user }),
  shape('secured twice', t.type({ name: t.string, secret: secured(secured(t.string)) }), user),
  shape('secured inside of secured', t.type({ name: t.string, user: secured(User) }), {
    name: plain,
    user,
  }),
  shape('changed by a library', withMessage(User, 'no'), user),
  shape(
    'member changed by a library',
    t.type({ name: t.string, secret: withMessage(secured(t.string), 'no') }),
    user,
  ),
  shape(
    'secured list changed by a library',
    t.type({ name: t.string, secrets: withMessage(list(secured(t.string)), 'no') }),
    { name: plain, secrets: [canary] },
  ),
  shape(
    'with a text codec as another member',
    t.type({ name: fromString('t', (x) => x, String), secret: secured(string) }),
    user,
  ),
  shape('of a class', User, new Person()),
  shape('attempt', t.type({ name: t.string, secret: attempt(secured(t.string)) }), {
    name: plain,
    secret: E.right(canary),
  }),
]

/** Restricted members in opaque codecs, which are configuration errors. */
export const opaqueShapes: ReadonlyArray<Shape> = [
  shape('piped', t.unknown.pipe(User, 'Piped'), user),
  shape(
    'opaque intersected with anything',
    t.intersection([opaqueOf(User), t.UnknownRecord], 'Intersected'),
    user,
  ),
  shape('opaque', opaqueOf(User), user),
  shape('opaque inside', t.type({ user: opaqueOf(User) }), { user }),
  shape('opaque exact', opaqueOf(strict(User)), user),
  shape('opaque list', opaqueOf(list(User)), [user]),
]

/**
 * Values that also match an open member of a union. The framework hides a member that is restricted in any of them; a codec
 * alone does not.
 */
export const ambiguous: ReadonlyArray<Shape> = [
  shape(
    'union of a partly matching codec and anything',
    t.union([t.intersection([User, t.type({ id: t.number })]), t.UnknownRecord]),
    user,
  ),
  shape(
    'union with an unrestricted codec',
    t.union([t.type({ name: t.string, secret: t.string }), User]),
    user,
  ),
]
