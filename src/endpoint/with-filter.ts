/** Wrappers that apply filters, mappers, readers, writers and interceptors to a tree. */
import type { RejectedFunction, RejectedTree } from '../codec/codec.ts'
import type { AnyFilter, Filter } from './filter.ts'
import type { AnyMapper, Mapper } from './mapper.ts'
import type { Fits, Routes, Without } from './routes.ts'
import { wrapTree } from './routes.ts'
import { checkProviders, combinator } from './internal/combinator.ts'
import type { AnyEntityProvider, ReaderInterceptor, WriterInterceptor } from './interceptor.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

// The following types are alternatives to a filter or mapper that no value has. TypeScript selects one of them for a wrong argument, so
// that the error message ends in `Remedy`.

/** An alternative for a value with the tag `Tag`. */
export interface Misplaced<Tag, Remedy extends string> {
  readonly _tag: Tag
  readonly place: Remedy
}

/** An alternative for a list. */
export interface UnexpectedList<Remedy extends string> {
  readonly length: number
  readonly concat: unknown
  readonly list: Remedy
}

type Of<F, K extends string> = F extends { readonly [X in K]: infer V } ? V : never

// inference from a union of function types yields the intersection of the parameter types

type NeedsOf<F extends ReadonlyArray<unknown>> = [Of<F[number], '_N'>] extends [
  (need: infer N) => void,
]
  ? N
  : never

type Sum<F extends ReadonlyArray<unknown>, K extends string> = [
  { readonly [I in keyof F]: (value: Of<F[I], K>) => void }[number],
] extends [(value: infer Total) => void]
  ? Total
  : never

/**
 * Applies filters to all operations in a tree. Operations outside the tree are not affected.
 *
 * Filters with a smaller `priority` number receive the request first and the response last. Among filters with equal
 * priority, filters on outer trees precede filters on inner trees. Filters on the same tree keep the order of the
 * arguments.
 */
export const withFilter = combinator(
  'withFilter',
  'Routes',
  <
    const F extends ReadonlyArray<
      | Filter<never, unknown, unknown>
      | RejectedFunction<'wrap the function in requestFilter(…) or responseFilter(…), or call it'>
      | Misplaced<AnyMapper['_tag'], 'use withMapper'>
      | UnexpectedList<'pass the filters as arguments: withFilter(first, second)'>
    >,
  >(
    ...filters: F
  ) => {
    checkProviders('withFilter', filters, {
      noun: 'a filter',
      creators: 'requestFilter(…) or responseFilter(…)',
      others: { MapError: 'withMapper', Unwrap: 'withMapper', Mappers: 'withMapper' },
    })
    return <T, R, E>(
      api:
        | (Routes<T, R, E> & Fits<Sum<F, '_G'>, R>)
        | RejectedTree<'apply withFilter to a tree: routes({ … })'>,
    ): Routes<T, Without<R & NeedsOf<F>, Sum<F, '_G'>>, E | Of<F[number], '_E'>> =>
      wrapTree(api, {
        _tag: 'Filters',
        // `checkProviders` throws an error for other values
        filters: Object.freeze(filters as ReadonlyArray<unknown> as ReadonlyArray<AnyFilter>),
      })
  },
)

/**
 * Applies mappers to errors from all operations in a tree. Errors from operations outside the tree are not affected.
 *
 * Mappers on inner trees take precedence. All mappers on one tree have the same precedence, even if they are applied by
 * several calls to `withMapper`.
 */
export const withMapper = combinator(
  'withMapper',
  'Routes',
  <
    const M extends ReadonlyArray<
      | Mapper<unknown, unknown>
      | RejectedFunction<'wrap the function in mapError(…) or mapTagged(…), or call it'>
      | Misplaced<AnyFilter['_tag'], 'use withFilter'>
      | UnexpectedList<'pass the mappers as arguments: withMapper(first, second)'>
    >,
  >(
    ...mappers: M
  ) => {
    checkProviders('withMapper', mappers, {
      noun: 'a mapper',
      creators: 'mapError(…) or mapTagged(…)',
      others: {
        PreMatchingFilter: 'withFilter',
        RequestFilter: 'withFilter',
        ResponseFilter: 'withFilter',
        Filters: 'withFilter',
      },
    })
    return <T, R, E>(
      api:
        | (Routes<T, R, E> & Fits<Sum<M, '_G'>, R>)
        | RejectedTree<'apply withMapper to a tree: routes({ … })'>,
    ): Routes<T, Without<R, Sum<M, '_G'>>, E | Of<M[number], '_E'>> =>
      wrapTree(api, {
        _tag: 'Mappers',
        // `checkProviders` throws an error for other values
        mappers: Object.freeze(mappers as ReadonlyArray<unknown> as ReadonlyArray<AnyMapper>),
      })
  },
)

type TreeStep = <T, R, E>(api: Routes<T, R, E>) => Routes<T, R, E>

const addProviders = (
  name: string,
  noun: string,
  providers: ReadonlyArray<AnyEntityProvider>,
  creators: string,
): TreeStep => {
  checkProviders(name, providers, { noun, creators })
  return (api) => wrapTree(api, { _tag: 'EntityProviders', providers: Object.freeze(providers) })
}

/** Applies readers to the entities of all operations in a tree. Operations outside the tree are not affected. */
export const withReader: (...readers: ReadonlyArray<Reader>) => TreeStep = combinator(
  'withReader',
  'Routes',
  (...readers: ReadonlyArray<Reader>) =>
    addProviders('withReader', 'a reader', readers, 'reader(…)'),
)

/** Applies writers to the entities of all operations in a tree. Operations outside the tree are not affected. */
export const withWriter: (...writers: ReadonlyArray<Writer>) => TreeStep = combinator(
  'withWriter',
  'Routes',
  (...writers: ReadonlyArray<Writer>) =>
    addProviders('withWriter', 'a writer', writers, 'writer(…)'),
)

/** Applies interceptors to the bodies of all operations in a tree. Operations outside the tree are not affected. */
export const withInterceptor: (
  ...interceptors: ReadonlyArray<ReaderInterceptor | WriterInterceptor>
) => TreeStep = combinator(
  'withInterceptor',
  'Routes',
  (...interceptors: ReadonlyArray<ReaderInterceptor | WriterInterceptor>) =>
    addProviders(
      'withInterceptor',
      'an interceptor',
      interceptors,
      'readerInterceptor(…) or writerInterceptor(…)',
    ),
)
