/**
 * Codecs of members that not everybody sees. The restriction is a part of the codec, so it holds wherever values of it are
 * written; what it hides is the member of an object that the codec stands for (`codec/projection.ts`).
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'

/** A name for what a reader of values is to see of them. Views are told apart by what `view` gave, and not by name. */
export interface View {
  readonly _tag: 'View'
  readonly name: string
  /** The views whose members it has too. */
  readonly extended: ReadonlyArray<View>
}

/** Who sees what a codec writes. */
export type Restriction =
  | { readonly _tag: 'View'; readonly view: View }
  /** Any of these roles; each may be an expression. */
  | { readonly _tag: 'Roles'; readonly roles: ReadonlyArray<string> }

/** Says of a restriction whether it hides what stands behind it. */
export type Hides = (restriction: Restriction) => boolean

/** What is known of restricted codecs while a process runs. */
interface Course {
  /** Whether there is any. */
  isAny: boolean
  /** Whether one has been asked to write since somebody began to watch. */
  isMet: boolean
  /** What holds of the value that is being written; `undefined` where no engine writes. */
  writing: Hides | undefined
}

const isCourse = (value: unknown): value is Course =>
  typeof value === 'object' && value !== null && 'isAny' in value && 'writing' in value

/** Two copies of the package may meet in a process: what one of them writes, codecs of the other hide too. */
const found = (): Course => {
  const name = Symbol.for('espalier.restricted')
  const known: unknown = Reflect.get(globalThis, name)
  if (isCourse(known)) return known
  const made: Course = { isAny: false, isMet: false, writing: undefined }
  Object.defineProperty(globalThis, name, { value: made })
  return made
}

const course = found()

/** A codec that is the one inside, for those who see it. */
export class RestrictedType<C extends t.Mixed> extends t.Type<
  t.TypeOf<C>,
  t.OutputOf<C> | undefined
> {
  readonly _tag = 'RestrictedType' as const
  readonly codec: C
  readonly restriction: Restriction
  constructor(codec: C, restriction: Restriction) {
    super(codec.name, codec.is, codec.validate, (value) => {
      course.isMet = true
      return course.writing?.(restriction) === true ? undefined : codec.encode(value)
    })
    this.codec = codec
    this.restriction = restriction
  }
}

const restricted = <C extends t.Mixed>(codec: C, restriction: Restriction): RestrictedType<C> => {
  course.isAny = true
  return new RestrictedType(codec, Object.freeze(restriction))
}

/** Whether there is any restricted codec in the process: where there is none, nothing is looked for. */
export const isAnyRestricted = (): boolean => course.isAny

/**
 * Runs a function that writes a value, for somebody. Codecs that say nothing of their structure may call others inside, which
 * nobody sees from outside: restricted ones ask what is said here, and write nothing of what is hidden.
 */
export const writtenFor = <A, B>(hides: Hides, write: (value: A) => B, value: A): B => {
  const before = course.writing
  course.writing = hides
  try {
    return write(value)
  } finally {
    course.writing = before
  }
}

/**
 * What holds of the value that is being written; `undefined` where no engine writes. Whoever asks writes by it, so that nobody
 * takes what is written for everybody's.
 */
export const hiding = (): Hides | undefined => {
  course.isMet = true
  return course.writing
}

/** What a function writes, and whether no restricted codec had a say in it: then it is the same for everybody. */
export const watched = <A, B>(
  write: (value: A) => B,
  value: A,
): { readonly written: B; readonly isOpen: boolean } => {
  const before = course.isMet
  course.isMet = false
  try {
    const written = write(value)
    return { written, isOpen: !course.isMet }
  } finally {
    course.isMet ||= before
  }
}

/** By the tag: two copies of the package may meet. */
export const isRestricted = (
  codec: Codec,
): codec is Codec & { readonly codec: Codec; readonly restriction: Restriction } =>
  codec._tag === 'RestrictedType' && 'restriction' in codec && 'codec' in codec

/** Whether a view has the members of another: its own, and those of all that it extends. */
export const hasMembersOf = (one: View, other: View): boolean =>
  one === other || one.extended.some((inner) => hasMembersOf(inner, other))

/**
 * A view of values: a name for some of their members, for `inView` and `jsonView`. It has the members of the views that it
 * extends, too.
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
 * Puts a member of an object in a view. Where a view is chosen with `jsonView`, the member is written if it is in that view or
 * in one that it extends; members in no view are always written, and all are where no view is chosen. It hides the member around
 * it, also through `optional`, refinements, unions and collections; a codec that is no member of an object anywhere cannot be in
 * a view, which is a mistake when the tree is compiled.
 *
 * The type of the values stays what it is, for a handler has them whole; a client may find the member missing.
 */
export const inView =
  (of: View) =>
  <C extends t.Mixed>(codec: C): RestrictedType<C> =>
    restricted(codec, { _tag: 'View', view: of })

/**
 * Shows a member of an object only to somebody who has one of the roles; for everybody else, and for nobody in particular, it
 * is left out. It holds on every way to the wire: JSON, streams, events, parts of forms, bodies of errors. It says nothing of
 * what is read. `secureSerialization(false)` takes it back.
 *
 * A role may have expressions: `${role.payroll:accountant}` is the property `role.payroll`, or `accountant` where nobody has set
 * it; a list with commas is several roles. They are resolved at the start, which fails for one that comes to nothing.
 *
 * What is hidden is the member around it, as with `inView`, and with a view both have to show it. In a union whose members do
 * not say by a tag which one a value is of, what one of them hides is hidden in all. Outside of an answer, as in a test of the
 * codec, nothing is hidden. The type of the values stays what it is; a client may find the member missing. Where answers are
 * cached, the cache has to tell clients apart: this adds no `Vary`.
 *
 * It is a codec that hides: what is answered without one, as by a mapper that declares no content, is written as it is, and so is
 * what a codec of the application's own remembers of what it wrote for somebody else.
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
