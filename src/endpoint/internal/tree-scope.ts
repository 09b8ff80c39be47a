/** Places in a tree: what stands around an endpoint, gathered on the way to it. */
import type { AnyFilter } from '../filter.ts'
import type { AnyEntityProvider } from '../interceptor.ts'
import type { AnyMapper } from '../mapper.ts'
import type { Marks } from './attributes.ts'
import { nearer, unmarked } from './attributes.ts'
import type { Wrap } from '../routes.ts'
import { join } from './path-template.ts'

/** What stands around an endpoint or a tree. */
export interface Place {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  /** Filters, and values for slots, the outermost first. */
  readonly around: ReadonlyArray<Around>
  /** The mappers of each tree that has some, the innermost first. */
  readonly mappers: ReadonlyArray<ReadonlyArray<Mapping>>
  /** The readers, writers and interceptors of each tree that has some, the innermost first. */
  readonly providers: ReadonlyArray<ReadonlyArray<AnyEntityProvider>>
  readonly marks: Marks
}

export type Around =
  | { readonly _tag: 'Filter'; readonly filter: OneFilter }
  | { readonly _tag: 'Provided'; readonly values: Readonly<Record<string, unknown>> }

export type OneFilter = Exclude<AnyFilter, { readonly _tag: 'Filters' }>
export type Mapping = Exclude<AnyMapper, { readonly _tag: 'Mappers' }>

/** The place of a tree that is served below a path. */
export const outermost = (path: string): Place => ({
  keys: [],
  path,
  around: [],
  mappers: [],
  providers: [],
  marks: unmarked,
})

/** The place inside a tree. Mappers of one tree stand on one level, in the order in which they were put around it. */
export const within = (place: Place, wraps: ReadonlyArray<Wrap>): Place => {
  const inside = wraps.reduce(put, serving(place, wraps))
  const mappers = wraps
    .toReversed()
    .flatMap((wrap) => (wrap._tag === 'Mappers' ? wrap.mappers.flatMap(each) : []))
  return mappers.length === 0 ? inside : { ...inside, mappers: [mappers, ...inside.mappers] }
}

/** Those of one tree stand on one level too, in the order in which they were put around it, the outermost first. */
const serving = (place: Place, wraps: ReadonlyArray<Wrap>): Place => {
  const level = wraps.flatMap((wrap) => (wrap._tag === 'EntityProviders' ? wrap.providers : []))
  return level.length === 0 ? place : { ...place, providers: [level, ...place.providers] }
}

const put = (place: Place, wrap: Wrap): Place => {
  switch (wrap._tag) {
    case 'Prefix':
      return { ...place, path: join(place.path, wrap.path) }
    case 'Provide':
      return { ...place, around: [...place.around, { _tag: 'Provided', values: wrap.values }] }
    case 'Filters':
      return { ...place, around: [...place.around, ...wrap.filters.flatMap(single)] }
    case 'Marks':
      return { ...place, marks: nearer(place.marks, wrap.marking) }
    case 'Mappers':
    case 'EntityProviders':
      return place
  }
}

const single = (filter: AnyFilter): ReadonlyArray<Around> =>
  filter._tag === 'Filters' ? filter.filters.flatMap(single) : [{ _tag: 'Filter', filter }]

const each = (mapper: AnyMapper): ReadonlyArray<Mapping> =>
  mapper._tag === 'Mappers' ? mapper.mappers.flatMap(each) : [mapper]
