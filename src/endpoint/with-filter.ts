/** Wrappers that apply filters, mappers, readers, writers and interceptors to a tree. */
import type { EndpointAsTree } from './internal/complete-tree.ts'
import type { AnyFilter, Filter } from './filter.ts'
import type { AnyMapper, Mapper } from './mapper.ts'
import type { Fits, Routes, Without } from './routes.ts'
import { makeRoutes } from './routes.ts'
import { checkProviders, combinator } from './internal/combinator.ts'
import type { AnyEntityProvider, ReaderInterceptor, WriterInterceptor } from './interceptor.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** An alternative to a filter that no value has. TypeScript selects it for a function, so that the error message ends in `Remedy`. */
export interface WrappedFunction<Remedy extends string> {
  (...args: never): unknown
  readonly filter: Remedy
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
      | WrappedFunction<'wrap the function in requestFilter(…) or responseFilter(…), or call it'>
    >,
  >(
    ...filters: F
  ) => {
    checkProviders('withFilter', 'a filter', filters, 'requestFilter(…) or responseFilter(…)')
    return <T, R, E>(
      api:
        | (Routes<T, R, E> & Fits<Sum<F, '_G'>, R>)
        | EndpointAsTree<'apply withFilter to a tree: routes({ … })'>,
    ): Routes<T, Without<R & NeedsOf<F>, Sum<F, '_G'>>, E | Of<F[number], '_E'>> => {
      // the combinator throws an error for an endpoint
      const { children, wrappers } = api as Routes<T, R, E>
      return makeRoutes(children, [
        Object.freeze({
          _tag: 'Filters',
          // `checkProviders` throws an error for functions
          filters: Object.freeze(filters as ReadonlyArray<unknown> as ReadonlyArray<AnyFilter>),
        }),
        ...wrappers,
      ])
    }
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
  <const M extends ReadonlyArray<Mapper<unknown, unknown>>>(...mappers: M) => {
    checkProviders('withMapper', 'a mapper', mappers, 'mapError(…) or mapTagged(…)')
    return <T, R, E>(
      api: Routes<T, R, E> & Fits<Sum<M, '_G'>, R>,
    ): Routes<T, Without<R, Sum<M, '_G'>>, E | Of<M[number], '_E'>> =>
      makeRoutes(api.children, [
        Object.freeze({
          _tag: 'Mappers',
          mappers: Object.freeze<ReadonlyArray<AnyMapper>>(mappers),
        }),
        ...api.wrappers,
      ])
  },
)

type TreeStep = <T, R, E>(api: Routes<T, R, E>) => Routes<T, R, E>

const addProviders = (
  name: string,
  noun: string,
  providers: ReadonlyArray<AnyEntityProvider>,
  creators: string,
): TreeStep => {
  checkProviders(name, noun, providers, creators)
  return <T, R, E>(api: Routes<T, R, E>): Routes<T, R, E> =>
    makeRoutes(api.children, [
      Object.freeze({ _tag: 'EntityProviders', providers: Object.freeze(providers) }),
      ...api.wrappers,
    ])
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
