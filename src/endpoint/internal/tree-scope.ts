/** Scopes: everything that the enclosing trees of an endpoint apply to it, collected from the root to the endpoint. */
import type { AnyFilter } from '../filter.ts'
import type { AnyEntityProvider } from '../interceptor.ts'
import type { AnyMapper } from '../mapper.ts'
import type { Attributes } from './attributes.ts'
import { mergeAttributes, defaultAttributes } from './attributes.ts'
import type { Wrapper } from '../routes.ts'
import { join } from './path-template.ts'

/** The scope of an endpoint or a tree. */
export interface TreeScope {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  /** Filters and provided values, outermost first. */
  readonly layers: ReadonlyArray<ScopeLayer>
  /** Mappers of each enclosing tree that has any, innermost tree first. */
  readonly mappers: ReadonlyArray<ReadonlyArray<SingleMapper>>
  /** Readers, writers and interceptors of each enclosing tree that has any, innermost tree first. */
  readonly providers: ReadonlyArray<ReadonlyArray<AnyEntityProvider>>
  readonly attributes: Attributes
}

/** A filter or provided values. */
export type ScopeLayer =
  | { readonly _tag: 'Filter'; readonly filter: SingleFilter }
  | { readonly _tag: 'Provided'; readonly values: Readonly<Record<string, unknown>> }

export type SingleFilter = Exclude<AnyFilter, { readonly _tag: 'Filters' }>
export type SingleMapper = Exclude<AnyMapper, { readonly _tag: 'Mappers' }>

/** Returns the scope of a tree that is served under a path. */
export const rootScope = (path: string): TreeScope => ({
  keys: [],
  path,
  layers: [],
  mappers: [],
  providers: [],
  attributes: defaultAttributes,
})

/** Returns the scope inside a tree. The mappers of one tree form one level, in order of application. */
export const nestedScope = (scope: TreeScope, wrappers: ReadonlyArray<Wrapper>): TreeScope => {
  const inside = wrappers.reduce(addWrapper, addProviders(scope, wrappers))
  const mappers = wrappers
    .toReversed()
    .flatMap((wrapper) =>
      wrapper._tag === 'Mappers' ? wrapper.mappers.flatMap(singleMappers) : [],
    )
  return mappers.length === 0 ? inside : { ...inside, mappers: [mappers, ...inside.mappers] }
}

/** Adds the readers, writers and interceptors of one tree as a level, outermost first. */
const addProviders = (scope: TreeScope, wrappers: ReadonlyArray<Wrapper>): TreeScope => {
  const level = wrappers.flatMap((wrapper) =>
    wrapper._tag === 'EntityProviders' ? wrapper.providers : [],
  )
  return level.length === 0 ? scope : { ...scope, providers: [level, ...scope.providers] }
}

const addWrapper = (scope: TreeScope, wrapper: Wrapper): TreeScope => {
  switch (wrapper._tag) {
    case 'Prefix':
      return { ...scope, path: join(scope.path, wrapper.path) }
    case 'Provide':
      return { ...scope, layers: [...scope.layers, { _tag: 'Provided', values: wrapper.values }] }
    case 'Filters':
      return { ...scope, layers: [...scope.layers, ...wrapper.filters.flatMap(filterLayers)] }
    case 'Attributes':
      return { ...scope, attributes: mergeAttributes(scope.attributes, wrapper.changes) }
    case 'Mappers':
    case 'EntityProviders':
      return scope
  }
}

const filterLayers = (filter: AnyFilter): ReadonlyArray<ScopeLayer> =>
  filter._tag === 'Filters' ? filter.filters.flatMap(filterLayers) : [{ _tag: 'Filter', filter }]

const singleMappers = (mapper: AnyMapper): ReadonlyArray<SingleMapper> =>
  mapper._tag === 'Mappers' ? mapper.mappers.flatMap(singleMappers) : [mapper]
