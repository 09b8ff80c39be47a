/** Tagged errors: `raises` declares them for an endpoint, and `mapTagged` maps them to replies. */
import { checkFunction } from '../http/platform-value.ts'
import type { CalledOnce } from './slot.ts'
import type { ResponseContext } from './context.ts'
import type { MapError, Mapper, MapperOptions, MapperReply, MapperReturns } from './mapper.ts'
import { makeMapError, makeMapper } from './mapper.ts'
import type { ReplyOf } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { ErrorKey } from './definition/slot-types.ts'
import { makeEndpoint } from './endpoint.ts'
import type { AddTo, Raises } from './internal/declaration-errors.ts'
import { combinator } from './internal/combinator.ts'

/** Mapping functions by error tag. */
type ForTags<R> = Readonly<
  Record<string, (error: never, context: ResponseContext) => MapperReturns<R>>
>

/** Mapping functions for all errors in `X`, by error tag. */
type ForErrors<X extends Tagged, R> = {
  readonly [Tag in keyof ByTag<X>]: (
    error: ByTag<X>[Tag],
    context: ResponseContext,
  ) => MapperReturns<R>
}

/** A constraint that rejects all keys of `M` except the tags of the errors in `X`. */
type NoOthers<X extends Tagged, M> = { readonly [Tag in Exclude<keyof M, X['_tag']>]: never }

type Errors<M> = {
  readonly [Tag in keyof M]: M[Tag] extends (error: infer X, context: ResponseContext) => unknown
    ? X
    : never
}

/** The dependencies that mappers for the errors in `X` resolve. `X` is a record of errors by tag. */
type Mapping<X> = {
  readonly [Tag in keyof X & string as ErrorKey<Tag>]: (error: X[Tag]) => unknown
}

/** A function that creates mappers for all errors in `X`. */
export interface MapErrors<X extends Tagged> {
  <const M extends ForErrors<X, MapperReply>>(
    mappers: M & NoOthers<X, M>,
  ): Mapper<Mapping<ByTag<X>>, never>
  <const O extends MapperOptions, const M extends ForErrors<X, MapperReply | ReplyOf<O>>>(
    options: O,
    mappers: M & NoOthers<X, M>,
  ): Mapper<Mapping<ByTag<X>>, ReplyOf<O>>
}

/**
 * Creates mappers for errors with a `_tag`. The keys of the argument are the tags.
 *
 * If an endpoint raises an error that has no mapper, serving the tree is a compile error. With an explicit error
 * type, as in `mapTagged<Errors>()({ … })`, parameters need no type annotations, and a missing mapper causes a
 * compile error in that call.
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

export function mapTagged<X>(mappers: CalledOnce<X, 'call twice: mapTagged<Late>()({ … })'>): never
export function mapTagged<const M extends ForTags<MapperReply>>(
  mappers: M,
): Mapper<Mapping<Errors<M>>, never>

export function mapTagged<
  const O extends MapperOptions,
  const M extends ForTags<MapperReply | ReplyOf<O>>,
>(options: O, mappers: M): Mapper<Mapping<Errors<M>>, ReplyOf<O>>

export function mapTagged(first?: object, second?: object): unknown {
  return first === undefined ? mappersOf : mappersOf(first, second)
}

const mappersOf = (first: object, second?: object): Mapper<unknown, unknown> => {
  // the overloads guarantee that the arguments are optional options, and then functions
  const options = (second === undefined ? {} : first) as MapperOptions
  const mappers = Object.entries(second ?? first) as ReadonlyArray<[string, MapError['run']]>
  for (const [tag, run] of mappers) checkFunction('mapTagged({ tag: run })', tag, run)
  const responses = toResponses(options.fails ?? {})
  return makeMapper({
    _tag: 'Mappers',
    mappers: Object.freeze(
      mappers.map(([tag, run]) => makeMapError({ _tag: 'Tag', tag }, run, responses)),
    ),
  })
}

/** An error with a tag that identifies its type. */
export interface Tagged {
  readonly _tag: string
}

/** The errors in `X` by tag. Errors with the same tag form a union. */
export type ByTag<X extends Tagged> = { readonly [One in X as One['_tag']]: One }

/**
 * Declares tagged errors that the handler returns in a `Left`. The errors cannot be sent as responses. Therefore, an
 * enclosing tree must map each error to a reply with {@link mapTagged}.
 */
export const raises = combinator(
  'raises',
  'Endpoint',
  <X extends Tagged>(): AddTo<'raises', X['_tag'], Raises<ByTag<X>>> =>
    ({ definition }) =>
      makeEndpoint(definition),
)
