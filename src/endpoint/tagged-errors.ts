/** Tagged errors: `raises` declares them, and `mapTagged` maps them. */
import type { ResponseContext } from './context.ts'
import type { MapError, Mapper, MapperOptions, MapperReturns } from './mapper.ts'
import { makeMapError, makeMapper } from './mapper.ts'
import type { ReplyOf, Undeclared } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { ErrorKey } from './internal/slot-types.ts'
import type { Endpoint } from './endpoint.ts'
import { makeEndpoint } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'

/** A function for each tag. */
type ForTags<R> = Readonly<
  Record<string, (error: never, context: ResponseContext) => MapperReturns<R>>
>

/** A function for each error, under its tag. */
type ForErrors<X extends Tagged, R> = {
  readonly [Tag in keyof ByTag<X>]: (
    error: ByTag<X>[Tag],
    context: ResponseContext,
  ) => MapperReturns<R>
}

/** Rejects tags of `M` that no error has. */
type NoOthers<X extends Tagged, M> = { readonly [Tag in Exclude<keyof M, X['_tag']>]: never }

type Errors<M> = {
  readonly [Tag in keyof M]: M[Tag] extends (error: infer X, context: ResponseContext) => unknown
    ? X
    : never
}

/** The dependencies that mappers of these errors resolve. */
type Mapping<X> = {
  readonly [Tag in keyof X & string as ErrorKey<Tag>]: (error: X[Tag]) => unknown
}

/** Creates mappers for all given errors. */
interface MapErrors<X extends Tagged> {
  <const M extends ForErrors<X, Undeclared>>(
    mappers: M & NoOthers<X, M>,
  ): Mapper<Mapping<ByTag<X>>, never>
  <const O extends MapperOptions, const M extends ForErrors<X, Undeclared | ReplyOf<O>>>(
    options: O,
    mappers: M & NoOthers<X, M>,
  ): Mapper<Mapping<ByTag<X>>, ReplyOf<O>>
}

/**
 * Creates mappers for tagged errors, by their `_tag`.
 *
 * An endpoint that raises an error without a mapper does not compile where its tree is served. With explicit errors,
 * `mapTagged<Errors>()({ … })`, parameters need no annotations, and a missing mapper is a compile error in that call.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, mapTagged, path, produces, raises, reply, routes, text, withMapper } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * interface NoSuchPear {
 *   readonly _tag: 'NoSuchPear'
 *   readonly name: string
 * }
 * interface Unripe {
 *   readonly _tag: 'Unripe'
 *   readonly days: number
 * }
 * const pear = pipe(
 *   path('/pears/{name}'),
 *   get(),
 *   produces(text),
 *   raises<NoSuchPear | Unripe>(),
 *   handle(({ path: { name } }) =>
 *     E.left(name === 'anjou' ? { _tag: 'Unripe', days: 3 } : { _tag: 'NoSuchPear', name }),
 *   ),
 * )
 * const errors = mapTagged<NoSuchPear | Unripe>()({
 *   NoSuchPear: ({ name }) => reply(404, `There is no ${name}.`),
 *   Unripe: ({ days }) => reply(409, `Come back in ${days} days.`),
 * })
 * const send = inMemory(pipe(routes({ pear }), withMapper(errors)))
 * const textOf = async (name: string) => (await send(`http://localhost/pears/${name}`)).text()
 *
 * assert.equal(await textOf('comice'), 'There is no comice.')
 * assert.equal(await textOf('anjou'), 'Come back in 3 days.')
 * ```
 */
export function mapTagged<X extends Tagged = never>(): MapErrors<X>

export function mapTagged<const M extends ForTags<Undeclared>>(
  mappers: M,
): Mapper<Mapping<Errors<M>>, never>

export function mapTagged<
  const O extends MapperOptions,
  const M extends ForTags<Undeclared | ReplyOf<O>>,
>(options: O, mappers: M): Mapper<Mapping<Errors<M>>, ReplyOf<O>>

export function mapTagged(first?: object, second?: object): unknown {
  return first === undefined ? mappersOf : mappersOf(first, second)
}

const mappersOf = (first: object, second?: object): Mapper<unknown, unknown> => {
  // the overloads guarantee it: optional options, then functions
  const options = (second === undefined ? {} : first) as MapperOptions
  const mappers = Object.entries(second ?? first) as ReadonlyArray<[string, MapError['run']]>
  const responses = toResponses(options.fails ?? {})
  return makeMapper({
    _tag: 'Mappers',
    mappers: Object.freeze(
      mappers.map(([tag, run]) => makeMapError({ _tag: 'Tag', tag }, run, responses)),
    ),
  })
}

/** An error with a `_tag`. */
export interface Tagged {
  readonly _tag: string
}

/** Errors by tag. Errors with the same tag form a union. */
export type ByTag<X extends Tagged> = { readonly [One in X as One['_tag']]: One }

/**
 * Declares tagged errors that the handler returns as a `Left`. They are not responses: {@link mapTagged} must map each
 * of them in an enclosing scope.
 */
export const raises =
  <X extends Tagged>() =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'raises', ByTag<X>>> =>
    makeEndpoint(definition)
