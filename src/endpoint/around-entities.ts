/** Puts readers, writers and interceptors around trees: they serve all of a tree and nothing else. */
import type { AnyEntityProvider, ReaderInterceptor, WriterInterceptor } from './interceptor.ts'
import type { Reader } from './reader.ts'
import type { Routes } from './routes.ts'
import { tree } from './routes.ts'
import type { Writer } from './writer.ts'

type Around = <T, R, E>(api: Routes<T, R, E>) => Routes<T, R, E>

const around =
  (providers: ReadonlyArray<AnyEntityProvider>): Around =>
  <T, R, E>(api: Routes<T, R, E>): Routes<T, R, E> =>
    tree(api.children, [
      Object.freeze({ _tag: 'EntityProviders', providers: Object.freeze(providers) }),
      ...api.wraps,
    ])

/** Puts readers around a tree: they read the entities of all of it and of nothing else. */
export const withReader = (...readers: ReadonlyArray<Reader>): Around => around(readers)

/** Puts writers around a tree: they write the entities of all of it and of nothing else. */
export const withWriter = (...writers: ReadonlyArray<Writer>): Around => around(writers)

/** Puts interceptors around a tree: they wrap the contents of all of it and of nothing else. */
export const withInterceptor = (
  ...interceptors: ReadonlyArray<ReaderInterceptor | WriterInterceptor>
): Around => around(interceptors)
