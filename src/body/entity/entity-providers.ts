/**
 * The providers of an operation: readers and writers by scope, and interceptors in the order in which they run.
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

export interface EntityProviders extends BodyOptions {
  /** Providers by scope, the innermost scope first. */
  readonly readers: ProviderLevels<Reader>
  readonly writers: ProviderLevels<Writer>
  /** In ascending priority; with equal priority, those of outer scopes first, then in the order of declaration. */
  readonly readerInterceptors: ReadonlyArray<ReaderInterceptor>
  readonly writerInterceptors: ReadonlyArray<WriterInterceptor>
}

export type ProviderLevels<P> = ReadonlyArray<ReadonlyArray<P>>

/** The providers of an operation without any. */
export const noProviders: EntityProviders = Object.freeze({
  readers: [],
  writers: [],
  readerInterceptors: [],
  writerInterceptors: [],
})

/** Selects the providers for a runtime, client or server, that apply to an operation. */
export const selectProviders = (
  side: Runtime,
  levels: ProviderLevels<AnyEntityProvider>,
  applies: (order: FilterOrder) => boolean,
): EntityProviders => {
  if (levels.length === 0) return noProviders
  const used = levels.map((level) =>
    level.filter((provider) => (provider.runtime ?? side) === side && applies(provider)),
  )
  const outsideIn = used
    .toReversed()
    .flat()
    .toSorted((a, b) => a.priority - b.priority)
  return {
    readers: used.map((level) => level.filter((provider) => provider._tag === 'Reader')),
    writers: used.map((level) => level.filter((provider) => provider._tag === 'Writer')),
    readerInterceptors: outsideIn.filter((provider) => provider._tag === 'ReaderInterceptor'),
    writerInterceptors: outsideIn.filter((provider) => provider._tag === 'WriterInterceptor'),
  }
}

/** Whether a provider or filter applies to an operation with these bound names; without an endpoint, to all requests. */
export const concernsEndpoint = (
  { names, appliesTo }: FilterOrder,
  endpoint: EndpointInfo | undefined,
  bound: ReadonlyArray<string>,
): boolean =>
  names.every((name) => bound.includes(name)) &&
  (appliesTo === undefined || (endpoint !== undefined && appliesTo(endpoint)))
