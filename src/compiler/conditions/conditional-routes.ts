/**
 * Removes excluded routes, filters, mappers and providers from a tree before it is compiled, so that they are neither verified
 * nor compared with other routes. `excluded-routes.ts` lists them.
 */
import type { Conditional, Inclusion } from '../../endpoint/condition.ts'
import type { AnyFilter } from '../../endpoint/filter.ts'
import type { AnyEntityProvider } from '../../endpoint/interceptor.ts'
import type { AnyMapper } from '../../endpoint/mapper.ts'
import type { AnyNode, Wrapper } from '../../endpoint/routes.ts'
import type { ConditionCheck } from './condition.ts'
import type { SingleMapper, SingleFilter } from '../../endpoint/internal/tree-scope.ts'

/** Returns the tree without excluded parts; the same tree if it has no conditions. */
export const includedRoutes = (api: AnyNode, allows: ConditionCheck): AnyNode =>
  !isConditional(api) ? api : isAllowed(api, allows) ? pruned(api, allows) : empty

const empty: AnyNode = Object.freeze({ _tag: 'Routes', children: new Map(), wrappers: [] })

const isConditional = (node: AnyNode): boolean => {
  if (conditionsOf(node).length > 0) return true
  if (node._tag === 'Endpoint') return false
  if (node.wrappers.some((wrap) => partsOf(wrap).some((part) => ownConditions(part).length > 0)))
    return true
  for (const child of node.children.values()) if (isConditional(child)) return true
  return false
}

const isAllowed = (node: AnyNode, allows: ConditionCheck): boolean =>
  conditionsOf(node).every(allows)

const pruned = (node: AnyNode, allows: ConditionCheck): AnyNode =>
  node._tag === 'Endpoint'
    ? node
    : {
        ...node,
        children: new Map(
          [...node.children]
            .filter(([, child]) => isAllowed(child, allows))
            .map(([key, child]) => [key, pruned(child, allows)]),
        ),
        wrappers: node.wrappers.map((wrap) => prunedWrap(wrap, allows)),
      }

const prunedWrap = (wrap: Wrapper, allows: ConditionCheck): Wrapper => {
  const stays = (part: Conditional): boolean => ownConditions(part).every(allows)
  switch (wrap._tag) {
    case 'Filters':
      return { ...wrap, filters: wrap.filters.flatMap(oneFilter).filter(stays) }
    case 'Mappers':
      return { ...wrap, mappers: wrap.mappers.flatMap(oneMapper).filter(stays) }
    case 'EntityProviders':
      return { ...wrap, providers: wrap.providers.filter(stays) }
    default:
      return wrap
  }
}

/** A single filter, mapper or provider. */
export type ConditionalPart = SingleFilter | SingleMapper | AnyEntityProvider

/** Returns the filters, mappers and providers of a wrapper. Groups have no conditions of their own. */
export const partsOf = (wrap: Wrapper): ReadonlyArray<ConditionalPart> => {
  switch (wrap._tag) {
    case 'Filters':
      return wrap.filters.flatMap(oneFilter)
    case 'Mappers':
      return wrap.mappers.flatMap(oneMapper)
    case 'EntityProviders':
      return wrap.providers
    default:
      return []
  }
}

const oneFilter = (filter: AnyFilter): ReadonlyArray<SingleFilter> =>
  filter._tag === 'Filters' ? filter.filters.flatMap(oneFilter) : [filter]

const oneMapper = (mapper: AnyMapper): ReadonlyArray<SingleMapper> =>
  mapper._tag === 'Mappers' ? mapper.mappers.flatMap(oneMapper) : [mapper]

/** Returns the conditions of a filter, mapper or provider. */
export const ownConditions = ({ conditions }: Conditional): ReadonlyArray<Inclusion> =>
  conditions ?? none

/** Returns the conditions of an endpoint or tree, without those of its filters, mappers and providers. */
export const conditionsOf = (node: AnyNode): ReadonlyArray<Inclusion> =>
  node._tag === 'Endpoint'
    ? node.definition.attributes.conditions
    : node.wrappers.length === 0
      ? none
      : node.wrappers.flatMap((wrap) =>
          wrap._tag === 'Attributes' ? ownConditions(wrap.changes) : none,
        )

const none: ReadonlyArray<Inclusion> = []
