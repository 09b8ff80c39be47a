/**
 * The meaning of expressions: properties refer to one another by name until only text is left.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Expression from './expression.ts'

/** What a name stands for. */
export interface Held {
  readonly text: string
  /** Whether `${` in it is text, as in the variables of other programs. */
  readonly literal: boolean
}

export type Lookup = (name: string) => O.Option<Held>

/** Why a value cannot be had, and the properties whose texts are at fault. */
export type Fault =
  /** An expression has no end. */
  | { readonly _tag: 'Unbalanced'; readonly properties: readonly [string] }
  /** Nothing has the name, and there is no default. */
  | { readonly _tag: 'Missing'; readonly properties: readonly [string]; readonly name: string }
  /** Each refers to the next, the last to the first; the smallest name comes first. */
  | { readonly _tag: 'Cycle'; readonly properties: ReadonlyArray<string> }

export type Resolved = E.Either<ReadonlyArray<Fault>, string>

/** A cycle is the same wherever one enters it, so it starts with its smallest name. */
const cycle = (properties: ReadonlyArray<string>): Fault => {
  const first = properties.indexOf(properties.toSorted()[0] ?? '')
  return {
    _tag: 'Cycle',
    properties: [...properties.slice(first), ...properties.slice(0, first)],
  }
}

/** The properties that have led here, each referred to by the next; the text at hand is the first one's. */
type Path = readonly [string, ...ReadonlyArray<string>]

/** Texts in a row; of faults all. */
const append = (before: Resolved, text: Resolved): Resolved => {
  if (E.isRight(before))
    return pipe(
      text,
      E.map((end) => before.right + end),
    )
  return E.isRight(text) ? before : E.left([...before.left, ...text.left])
}

const template =
  (lookup: Lookup, path: Path) =>
  (parts: Expression.Template): Resolved =>
    parts
      .map((part) => (typeof part === 'string' ? E.right(part) : reference(lookup, path)(part)))
      .reduce(append, E.right(''))

const reference =
  (lookup: Lookup, path: Path) =>
  (part: Expression.Reference): Resolved =>
    pipe(
      template(lookup, path)(part.name),
      E.chain((name) =>
        pipe(
          lookup(name),
          O.match(() => fallback(lookup, path)(name, part.fallback), follow(lookup, path)(name)),
        ),
      ),
    )

const fallback =
  (lookup: Lookup, path: Path) =>
  (name: string, parts: O.Option<Expression.Template>): Resolved =>
    pipe(
      parts,
      O.match(
        () => E.left([{ _tag: 'Missing', properties: [path[0]], name }]),
        template(lookup, path),
      ),
    )

const follow =
  (lookup: Lookup, path: ReadonlyArray<string>) =>
  (property: string) =>
  ({ text, literal }: Held): Resolved => {
    // what most are
    if (literal || !text.includes('$')) return E.right(text)
    const before = path.indexOf(property)
    if (before >= 0) return E.left([cycle(path.slice(0, before + 1).toReversed())])
    return pipe(
      Expression.parse(text),
      E.fromOption((): ReadonlyArray<Fault> => [{ _tag: 'Unbalanced', properties: [property] }]),
      E.chain(template(lookup, [property, ...path])),
    )
  }

/**
 * Resolves what `property` holds. A default counts only where it is needed: otherwise what it refers to may be
 * missing. A fault names the property whose text has it, which need not be the one asked for.
 */
export const resolve = (lookup: Lookup): ((property: string) => (held: Held) => Resolved) =>
  follow(lookup, [])

/**
 * Resolves a text that is no property itself, such as a role in a declaration, against properties whose own expressions are
 * resolved. On the left is what to do about each fault, a sentence each.
 */
export const resolveExpression = (
  text: string,
  property: (name: string) => string | undefined,
): E.Either<ReadonlyArray<string>, string> => {
  const lookup: Lookup = (name) =>
    pipe(
      O.fromNullable(property(name)),
      O.map((found) => ({ text: found, literal: true })),
    )
  return pipe(
    resolve(lookup)(text)({ text, literal: false }),
    E.mapLeft((faults) => faults.map(remedyOf)),
  )
}

/** What to do about a fault. */
export const remedyOf = (fault: Fault): string => {
  switch (fault._tag) {
    case 'Unbalanced':
      return 'close every ${ with a }, or write $${ where ${ is text'
    case 'Missing':
      return `define ${fault.name}, or write a default: \${${fault.name}:…}`
    case 'Cycle':
      return `break the cycle ${[...fault.properties, ...fault.properties.slice(0, 1)].join(' → ')}`
  }
}
