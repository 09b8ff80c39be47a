/** Flattens a tree into a list of its endpoints, in the order in which they are declared. */
import type {
  ConfigurationErrorCode,
  ConfigurationIssue,
} from '../endpoint/definition/configuration-error.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'
import type { Definition } from '../endpoint/endpoint.ts'
import type { Attributes } from '../endpoint/definition/attributes.ts'
import { mergeAttributes } from '../endpoint/definition/attributes.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import { join, parse } from '../endpoint/definition/path-template.ts'
import type { PrefixVariable } from '../endpoint/tree/prefix-variables.ts'
import type { FilterChain, PathFilters } from './filter-chain.ts'
import { filterChain } from './filter-chain.ts'
import type { PreMatchingFilter } from '../endpoint/filter.ts'
import type { ScopeLayer, TreeScope } from '../endpoint/tree/tree-scope.ts'
import { rootScope, nestedScope } from '../endpoint/tree/tree-scope.ts'

/** An endpoint with its full path, attributes and filter chain. */
export interface Route {
  /** The keys of the enclosing trees, followed by the key of the endpoint, joined by dots. */
  readonly name: string
  /** The path template, including the path prefixes of the enclosing trees. */
  readonly template: string
  /** The parsed path template, or an error message if the template is malformed. */
  readonly parsed: ReturnType<typeof parse>
  /** The variables in the path prefixes of the enclosing trees, outermost first. */
  readonly prefixVariables: ReadonlyArray<PrefixVariable>
  readonly definition: Definition
  readonly scope: TreeScope
  /** The attributes of the endpoint, merged with those of its enclosing trees. */
  readonly attributes: Attributes
  readonly chain: FilterChain
}

/** Returns the title that identifies a route in configuration errors. A value that is not an endpoint has only a name (`FW-ROUTE-008`). */
export const routeTitle = ({
  name,
  template,
  definition: { method, template: own },
}: Route): string =>
  method === undefined && own === '' ? name : operationTitle({ method, template, name })

/** Creates a configuration error for a route. */
export const routeIssue =
  (route: Route, code: ConfigurationErrorCode) =>
  (remedy: string): ConfigurationIssue => ({ code, concerns: [routeTitle(route)], remedy })

/** The routes of a tree, the filter chain of its root, and its misplaced filters. */
export interface FlatTree {
  readonly routes: ReadonlyArray<Route>
  /** The filter chain for requests that match no operation. */
  readonly root: FilterChain
  readonly misplaced: ReadonlyArray<MisplacedFilter>
}

/** A pre-matching filter declared below the root. `keys` is the path of the subtree, as keys joined by dots. */
export type MisplacedFilter = readonly [keys: string, filter: PreMatchingFilter]

/** Flattens a tree. `path` is the path prefix of all its endpoints. */
export const flatten = (api: AnyNode, path: string): FlatTree => {
  const outerScope = rootScope(path)
  const root = api._tag === 'Routes' ? nestedScope(outerScope, api.wrappers) : outerScope
  return {
    routes: routesIn(api, outerScope, root),
    root: filterChain(root, undefined, new Map()),
    misplaced: api._tag === 'Routes' ? children(api, []).flatMap(misplacedIn) : [],
  }
}

const routesIn = (node: AnyNode, scope: TreeScope, root: TreeScope): ReadonlyArray<Route> => {
  if (node._tag === 'Endpoint') return [routeOf(node.definition, scope, root)]
  const inner = nestedScope(scope, node.wrappers)
  return [...node.children].flatMap(([key, child]) =>
    routesIn(child, { ...inner, keys: [...inner.keys, key] }, root),
  )
}

const routeOf = (definition: Definition, scope: TreeScope, root: TreeScope): Route => {
  const name = scope.keys.join('.')
  const template = join(scope.path, definition.template) || '/'
  const attributes = mergeAttributes(scope.attributes, definition.attributes)
  const endpoint = { name, template, method: definition.method ?? '' }
  return {
    name,
    template,
    parsed: parse(template),
    prefixVariables: scope.variables,
    definition,
    scope,
    attributes,
    chain: {
      ...filterChain({ ...scope, attributes }, endpoint, definition.needs),
      forPath: pathFilters(scope, root),
    },
  }
}

/** Returns the filters that cover the path of an endpoint. `undefined` if no filter below the root covers paths. */
const pathFilters = (scope: TreeScope, root: TreeScope): PathFilters | undefined => {
  const nested = scope.layers.slice(root.layers.length).filter(coversPaths)
  if (nested.length === 0) return undefined
  const { preMatching, response } = filterChain(
    { ...root, layers: [...root.layers, ...nested] },
    undefined,
    new Map(),
  )
  const atRoot = filterChain(root, undefined, new Map()).preMatching
  return { request: preMatching.filter((filter) => !atRoot.includes(filter)), response }
}

const coversPaths = (layer: ScopeLayer): boolean =>
  layer._tag === 'Filter' && layer.filter.coversPaths === true

type Child = readonly [keys: ReadonlyArray<string>, tree: AnyNode]

const children = (node: AnyNode, keys: ReadonlyArray<string>): ReadonlyArray<Child> =>
  node._tag === 'Endpoint'
    ? []
    : [...node.children].map(([key, child]) => [[...keys, key], child] as const)

const misplacedIn = ([keys, node]: Child): FlatTree['misplaced'] =>
  node._tag === 'Endpoint'
    ? []
    : [
        ...nestedScope(rootScope('/'), node.wrappers).layers.flatMap((layer) =>
          layer._tag === 'Filter' &&
          layer.filter._tag === 'PreMatchingFilter' &&
          !coversPaths(layer)
            ? [[keys.join('.'), layer.filter] as const]
            : [],
        ),
        ...children(node, keys).flatMap(misplacedIn),
      ]
