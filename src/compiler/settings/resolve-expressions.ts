/**
 * The meaning of expressions: properties refer to one another by name until only text is left.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Expression from './expression.ts'

/** What a name stands for. */
export interface ConfiguredValue {
  readonly text: string
  /** Whether `${` in it is text, as in the variables of other programs. */
  readonly literal: boolean
}

export type LookupProperty = (name: string) => O.Option<ConfiguredValue>

/** Why a value cannot be had, and the properties whose texts are at fault. */
export type ExpressionError =
  /** An expression has no end. */
  | { readonly _tag: 'Unbalanced'; readonly properties: readonly [string] }
  /** Nothing has the name, and there is no default. */
  | { readonly _tag: 'Missing'; readonly properties: readonly [string]; readonly name: string }
  /** Each refers to the next, the last to the first; the smallest name comes first. */
  | { readonly _tag: 'Cycle'; readonly properties: ReadonlyArray<string> }

export type ResolvedText = E.Either<ReadonlyArray<ExpressionError>, string>

/** A cycle is the same wherever one enters it, so it starts with its smallest name. */
const cycle = (properties: ReadonlyArray<string>): ExpressionError => {
  const first = properties.indexOf(properties.toSorted()[0] ?? '')
  return {
    _tag: 'Cycle',
    properties: [...properties.slice(first), ...properties.slice(0, first)],
  }
}

/** The properties that have led here, each referred to by the next; the text at hand is the first one's. */
type Path = readonly [string, ...ReadonlyArray<string>]

/** Texts in a row; of faults all. */
const append = (before: ResolvedText, text: ResolvedText): ResolvedText => {
  if (E.isRight(before))
    return pipe(
      text,
      E.map((end) => before.right + end),
    )
  return E.isRight(text) ? before : E.left([...before.left, ...text.left])
}

const template =
  (lookup: LookupProperty, path: Path) =>
  (parts: Expression.ExpressionTemplate): ResolvedText =>
    parts
      .map((part) => (typeof part === 'string' ? E.right(part) : reference(lookup, path)(part)))
      .reduce(append, E.right(''))

const reference =
  (lookup: LookupProperty, path: Path) =>
  (part: Expression.PropertyReference): ResolvedText =>
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
  (lookup: LookupProperty, path: Path) =>
  (name: string, parts: O.Option<Expression.ExpressionTemplate>): ResolvedText =>
    pipe(
      parts,
      O.match(
        () => E.left([{ _tag: 'Missing', properties: [path[0]], name }]),
        template(lookup, path),
      ),
    )

const follow =
  (lookup: LookupProperty, path: ReadonlyArray<string>) =>
  (property: string) =>
  ({ text, literal }: ConfiguredValue): ResolvedText => {
    // what most are
    if (literal || !text.includes('$')) return E.right(text)
    const before = path.indexOf(property)
    if (before >= 0) return E.left([cycle(path.slice(0, before + 1).toReversed())])
    return pipe(
      Expression.parseExpression(text),
      E.fromOption((): ReadonlyArray<ExpressionError> => [
        { _tag: 'Unbalanced', properties: [property] },
      ]),
      E.chain(template(lookup, [property, ...path])),
    )
  }

/**
 * Resolves what `property` holds. A default counts only where it is needed: otherwise what it refers to may be
 * missing. A fault names the property whose text has it, which need not be the one asked for.
 */
export const resolve = (
  lookup: LookupProperty,
): ((property: string) => (held: ConfiguredValue) => ResolvedText) => follow(lookup, [])

/**
 * Resolves a text that is no property itself, such as a role in a declaration, against properties whose own expressions are
 * resolved. On the left is what to do about each fault, a sentence each.
 */
export const resolveExpression = (
  text: string,
  property: (name: string) => string | undefined,
): E.Either<ReadonlyArray<string>, string> => {
  const lookup: LookupProperty = (name) =>
    pipe(
      O.fromNullable(property(name)),
      O.map((found) => ({ text: found, literal: true })),
    )
  return pipe(
    resolve(lookup)(text)({ text, literal: false }),
    E.mapLeft((faults) => faults.map(expressionRemedy)),
  )
}

/** What to do about a fault. */
export const expressionRemedy = (fault: ExpressionError): string => {
  switch (fault._tag) {
    case 'Unbalanced':
      return 'close every ${ with a }, or write $${ where ${ is text'
    case 'Missing':
      return `define ${fault.name}, or write a default: \${${fault.name}:…}`
    case 'Cycle':
      return `break the cycle ${[...fault.properties, ...fault.properties.slice(0, 1)].join(' → ')}`
  }
}
