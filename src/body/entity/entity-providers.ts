/**
 * Selects the providers for an operation. Readers and writers are grouped by scope. Interceptors are sorted in the order in which
 * they run.
 */
import type { EndpointInfo } from '../../endpoint/context.ts'
import type { Runtime } from '../../endpoint/entity.ts'
import type { FilterOrder } from '../../endpoint/filter.ts'
import type {
  AnyEntityProvider,
  ReaderInterceptor,
  WriterInterceptor,
} from '../../endpoint/interceptor.ts'
import type { Reader } from '../../endpoint/reader.ts'
import type { Writer } from '../../endpoint/writer.ts'
import type { BodyOptions } from '../body-plan.ts'

/** The readers, writers and interceptors that apply to an operation. */
export interface EntityProviders extends BodyOptions {
  /** The readers declared by each scope, starting with the innermost scope. */
  readonly readers: ProviderLevels<Reader>
  readonly writers: ProviderLevels<Writer>
  /**
   * The interceptors in ascending order of their priority values. Interceptors with equal values are sorted by scope, starting
   * with the outermost, and then by order of declaration.
   */
  readonly readerInterceptors: ReadonlyArray<ReaderInterceptor>
  readonly writerInterceptors: ReadonlyArray<WriterInterceptor>
}

/** The providers declared by each scope, starting with the innermost scope. */
export type ProviderLevels<P> = ReadonlyArray<ReadonlyArray<P>>

export const noProviders: EntityProviders = Object.freeze({
  readers: [],
  writers: [],
  readerInterceptors: [],
  writerInterceptors: [],
})

/**
 * Selects the providers that apply to an operation. `side` specifies whether providers for the client or for the server are
 * selected.
 */
export const selectProviders = (
  side: Runtime,
  levels: ProviderLevels<AnyEntityProvider>,
  applies: (order: FilterOrder) => boolean,
): EntityProviders => {
  if (levels.length === 0) return noProviders
  const applicable = levels.map((level) =>
    level.filter((provider) => (provider.runtime ?? side) === side && applies(provider)),
  )
  const byPriority = applicable
    .toReversed()
    .flat()
    .toSorted((a, b) => a.priority - b.priority)
  return {
    readers: applicable.map((level) => level.filter((provider) => provider._tag === 'Reader')),
    writers: applicable.map((level) => level.filter((provider) => provider._tag === 'Writer')),
    readerInterceptors: byPriority.filter((provider) => provider._tag === 'ReaderInterceptor'),
    writerInterceptors: byPriority.filter((provider) => provider._tag === 'WriterInterceptor'),
  }
}

/**
 * Whether a provider or filter applies to an operation. All names of the provider or filter must be listed in `bound`. If
 * `endpoint` is `undefined`, providers and filters with an `appliesTo` function do not apply.
 */
export const concernsEndpoint = (
  { names, appliesTo }: FilterOrder,
  endpoint: EndpointInfo | undefined,
  bound: ReadonlyArray<string>,
): boolean =>
  names.every((name) => bound.includes(name)) &&
  (appliesTo === undefined || (endpoint !== undefined && appliesTo(endpoint)))
