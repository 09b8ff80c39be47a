/** Places in a tree: what stands around an endpoint, gathered on the way to it. */
import type { AnyFilter } from '../filter.ts'
import type { AnyEntityProvider } from '../interceptor.ts'
import type { AnyMapper } from '../mapper.ts'
import type { Attributes } from './attributes.ts'
import { mergeAttributes, defaultAttributes } from './attributes.ts'
import type { Wrapper } from '../routes.ts'
import { join } from './path-template.ts'

/** What stands around an endpoint or a tree. */
export interface TreeScope {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  /** Filters, and values for slots, the outermost first. */
  readonly layers: ReadonlyArray<ScopeLayer>
  /** The mappers of each tree that has some, the innermost first. */
  readonly mappers: ReadonlyArray<ReadonlyArray<SingleMapper>>
  /** The readers, writers and interceptors of each tree that has some, the innermost first. */
  readonly providers: ReadonlyArray<ReadonlyArray<AnyEntityProvider>>
  readonly attributes: Attributes
}

export type ScopeLayer =
  | { readonly _tag: 'Filter'; readonly filter: SingleFilter }
  | { readonly _tag: 'Provided'; readonly values: Readonly<Record<string, unknown>> }

export type SingleFilter = Exclude<AnyFilter, { readonly _tag: 'Filters' }>
export type SingleMapper = Exclude<AnyMapper, { readonly _tag: 'Mappers' }>

/** The place of a tree that is served below a path. */
export const rootScope = (path: string): TreeScope => ({
  keys: [],
  path,
  layers: [],
  mappers: [],
  providers: [],
  attributes: defaultAttributes,
})

/** The place inside a tree. Mappers of one tree stand on one level, in the order in which they were put around it. */
export const nestedScope = (place: TreeScope, wrappers: ReadonlyArray<Wrapper>): TreeScope => {
  const inside = wrappers.reduce(addWrapper, addProviders(place, wrappers))
  const mappers = wrappers
    .toReversed()
    .flatMap((wrap) => (wrap._tag === 'Mappers' ? wrap.mappers.flatMap(singleMappers) : []))
  return mappers.length === 0 ? inside : { ...inside, mappers: [mappers, ...inside.mappers] }
}

/** Those of one tree stand on one level too, in the order in which they were put around it, the outermost first. */
const addProviders = (place: TreeScope, wrappers: ReadonlyArray<Wrapper>): TreeScope => {
  const level = wrappers.flatMap((wrap) => (wrap._tag === 'EntityProviders' ? wrap.providers : []))
  return level.length === 0 ? place : { ...place, providers: [level, ...place.providers] }
}

const addWrapper = (place: TreeScope, wrap: Wrapper): TreeScope => {
  switch (wrap._tag) {
    case 'Prefix':
      return { ...place, path: join(place.path, wrap.path) }
    case 'Provide':
      return { ...place, layers: [...place.layers, { _tag: 'Provided', values: wrap.values }] }
    case 'Filters':
      return { ...place, layers: [...place.layers, ...wrap.filters.flatMap(filterLayers)] }
    case 'Attributes':
      return { ...place, attributes: mergeAttributes(place.attributes, wrap.changes) }
    case 'Mappers':
    case 'EntityProviders':
      return place
  }
}

const filterLayers = (filter: AnyFilter): ReadonlyArray<ScopeLayer> =>
  filter._tag === 'Filters' ? filter.filters.flatMap(filterLayers) : [{ _tag: 'Filter', filter }]

const singleMappers = (mapper: AnyMapper): ReadonlyArray<SingleMapper> =>
  mapper._tag === 'Mappers' ? mapper.mappers.flatMap(singleMappers) : [mapper]
