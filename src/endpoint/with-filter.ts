/** What is put around trees: filters and mappers. */
import type { AnyFilter, Filter } from './filter.ts'
import type { AnyMapper, Mapper } from './mapper.ts'
import type { Fits, Routes, Without } from './routes.ts'
import { makeRoutes } from './routes.ts'
import type { AnyEntityProvider, ReaderInterceptor, WriterInterceptor } from './interceptor.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

type Of<F, K extends string> = F extends { readonly [X in K]: infer V } ? V : never

// a union of functions infers the intersection of their parameters
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
 * Puts filters around a tree: they cover all of it and nothing else. The first of them sees a request before the others,
 * and all of them before filters further in, unless their priorities say otherwise.
 */
export const withFilter =
  <const F extends ReadonlyArray<Filter<never, unknown, unknown>>>(...filters: F) =>
  <T, R, E>(
    api: Routes<T, R, E> & Fits<Sum<F, '_G'>, R>,
  ): Routes<T, Without<R & NeedsOf<F>, Sum<F, '_G'>>, E | Of<F[number], '_E'>> =>
    makeRoutes(api.children, [
      Object.freeze({ _tag: 'Filters', filters: Object.freeze<ReadonlyArray<AnyFilter>>(filters) }),
      ...api.wrappers,
    ])

/**
 * Puts mappers around a tree: they map the errors of all of it and of nothing else, and come before those further out. All
 * mappers around one tree stand side by side, in one `withMapper` or in several.
 */
export const withMapper =
  <const M extends ReadonlyArray<Mapper<unknown, unknown>>>(...mappers: M) =>
  <T, R, E>(
    api: Routes<T, R, E> & Fits<Sum<M, '_G'>, R>,
  ): Routes<T, Without<R, Sum<M, '_G'>>, E | Of<M[number], '_E'>> =>
    makeRoutes(api.children, [
      Object.freeze({ _tag: 'Mappers', mappers: Object.freeze<ReadonlyArray<AnyMapper>>(mappers) }),
      ...api.wrappers,
    ])

type Around = <T, R, E>(api: Routes<T, R, E>) => Routes<T, R, E>

const around =
  (providers: ReadonlyArray<AnyEntityProvider>): Around =>
  <T, R, E>(api: Routes<T, R, E>): Routes<T, R, E> =>
    makeRoutes(api.children, [
      Object.freeze({ _tag: 'EntityProviders', providers: Object.freeze(providers) }),
      ...api.wrappers,
    ])

/** Puts readers around a tree: they read the entities of all of it and of nothing else. */
export const withReader = (...readers: ReadonlyArray<Reader>): Around => around(readers)

/** Puts writers around a tree: they write the entities of all of it and of nothing else. */
export const withWriter = (...writers: ReadonlyArray<Writer>): Around => around(writers)

/** Puts interceptors around a tree: they wrap the contents of all of it and of nothing else. */
export const withInterceptor = (
  ...interceptors: ReadonlyArray<ReaderInterceptor | WriterInterceptor>
): Around => around(interceptors)
