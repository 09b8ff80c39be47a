/**
 * What serves the entities and contents of an operation: the readers and writers around it, level by level, and interceptors in
 * the order in which they run.
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
  /** The innermost level first. */
  readonly readers: ProviderLevels<Reader>
  readonly writers: ProviderLevels<Writer>
  /** By ascending priority; among equals the outer before the inner, and what was given first before others. */
  readonly readerInterceptors: ReadonlyArray<ReaderInterceptor>
  readonly writerInterceptors: ReadonlyArray<WriterInterceptor>
}

export type ProviderLevels<P> = ReadonlyArray<ReadonlyArray<P>>

/** Those of an operation around which there are none. */
export const noProviders: EntityProviders = Object.freeze({
  readers: [],
  writers: [],
  readerInterceptors: [],
  writerInterceptors: [],
})

/** Chooses those of the levels around a place, the innermost first, that a side uses and that concern an operation. */
export const selectProviders = (
  side: Runtime,
  levels: ProviderLevels<AnyEntityProvider>,
  concerns: (placing: FilterOrder) => boolean,
): EntityProviders => {
  if (levels.length === 0) return noProviders
  const used = levels.map((level) =>
    level.filter((provider) => (provider.runtime ?? side) === side && concerns(provider)),
  )
  const outsideIn = used
    .toReversed()
    .flat()
    .toSorted((a, b) => a.priority - b.priority)
  return {
    readers: used.map((level) => level.filter((one) => one._tag === 'Reader')),
    writers: used.map((level) => level.filter((one) => one._tag === 'Writer')),
    readerInterceptors: outsideIn.filter((one) => one._tag === 'ReaderInterceptor'),
    writerInterceptors: outsideIn.filter((one) => one._tag === 'WriterInterceptor'),
  }
}

/** Whether a provider, or a filter, concerns an operation that is bound to these names; without an endpoint: all requests. */
export const concernsEndpoint = (
  { names, appliesTo }: FilterOrder,
  endpoint: EndpointInfo | undefined,
  bound: ReadonlyArray<string>,
): boolean =>
  names.every((name) => bound.includes(name)) &&
  (appliesTo === undefined || (endpoint !== undefined && appliesTo(endpoint)))
