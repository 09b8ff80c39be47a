/** Mappers of tagged errors: the other half of `raises`. */
import type { ResponseContext } from './context.ts'
import type { MapError, Mapper, MapperOptions, MapperReturns } from './mapper.ts'
import { makeMapError, makeMapper } from './mapper.ts'
import type { ReplyOf, Undeclared } from './internal/declared-replies.ts'
import { toResponses } from './internal/declared-replies.ts'
import type { ErrorKey } from './internal/slot-types.ts'
import type { Endpoint } from './endpoint.ts'
import { makeEndpoint } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'

/** A function for each tag, whatever it takes. */
type ForTags<R> = Readonly<
  Record<string, (error: never, context: ResponseContext) => MapperReturns<R>>
>

/** A function for each of the errors, under its tag. */
type ForErrors<X extends Tagged, R> = {
  readonly [Tag in keyof ByTag<X>]: (
    error: ByTag<X>[Tag],
    context: ResponseContext,
  ) => MapperReturns<R>
}

/** Tags that none of the errors has. */
type NoOthers<X extends Tagged, M> = { readonly [Tag in Exclude<keyof M, X['_tag']>]: never }

type Errors<M> = {
  readonly [Tag in keyof M]: M[Tag] extends (error: infer X, context: ResponseContext) => unknown
    ? X
    : never
}

/** What mappers of these errors, by tag, give to a tree. */
type Mapping<X> = {
  readonly [Tag in keyof X & string as ErrorKey<Tag>]: (error: X[Tag]) => unknown
}

/** Takes a mapper for each of the errors. */
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
 * Maps errors by their `_tag`. A tree with an endpoint that raises an error which nothing around it maps does not compile
 * where it is served, so nobody can forget one.
 *
 * Where the errors are said in front, `mapTagged<Errors>()({ … })`, mappers need no annotations, and one that is forgotten
 * does not compile where the others are written.
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
 * const refusals = mapTagged<NoSuchPear | Unripe>()({
 *   NoSuchPear: ({ name }) => reply(404, `There is no ${name}.`),
 *   Unripe: ({ days }) => reply(409, `Come back in ${days} days.`),
 * })
 * const send = inMemory(pipe(routes({ pear }), withMapper(refusals)))
 * const said = async (name: string) => (await send(`http://localhost/pears/${name}`)).text()
 *
 * assert.equal(await said('comice'), 'There is no comice.')
 * assert.equal(await said('anjou'), 'Come back in 3 days.')
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
  // the overloads let nothing else through: options in front of the functions, or the functions alone
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

export interface Tagged {
  readonly _tag: string
}

/** Errors by their tags; what one tag has of several shapes is any of them. */
export type ByTag<X extends Tagged> = { readonly [One in X as One['_tag']]: One }

/**
 * Says which tagged errors the handler returns as a `Left`. They are not answers: a mapper around the operation makes one of
 * each, see `mapTagged`, and the compiler sees to it that there is one for every tag.
 */
export const raises =
  <X extends Tagged>() =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'raises', ByTag<X>>> =>
    makeEndpoint(definition)
