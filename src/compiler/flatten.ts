/** Flattens a tree to its endpoints with their scopes, in the order of the tree. */
import type { Definition } from '../endpoint/endpoint.ts'
import type { Attributes } from '../endpoint/internal/attributes.ts'
import { mergeAttributes } from '../endpoint/internal/attributes.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import { join, parse } from '../endpoint/internal/path-template.ts'
import type { FilterChain } from './filter-chain.ts'
import { filterChain } from './filter-chain.ts'
import type { SingleFilter, TreeScope } from '../endpoint/internal/tree-scope.ts'
import { rootScope, nestedScope } from '../endpoint/internal/tree-scope.ts'

/** An endpoint with its full path, attributes and filter chain. */
export interface Route {
  /** The keys of the enclosing trees and the endpoint, joined by dots. */
  readonly name: string
  /** The template with all prefixes. */
  readonly template: string
  /** The parsed template, or a parse error. */
  readonly parsed: ReturnType<typeof parse>
  readonly definition: Definition
  /** The attributes of the endpoint and its scopes. */
  readonly attributes: Attributes
  readonly chain: FilterChain
}

/** A flattened tree. */
export interface FlatTree {
  readonly routes: ReadonlyArray<Route>
  /** The chain of requests that match no operation. */
  readonly root: FilterChain
  /** Pre-matching filters of subtrees, with the keys of the subtree. */
  readonly misplaced: ReadonlyArray<readonly [keys: string, filter: SingleFilter]>
}

/** Flattens a tree below a path. */
export const flatten = (api: AnyNode, path: string): FlatTree => {
  const outside = rootScope(path)
  const root = api._tag === 'Routes' ? nestedScope(outside, api.wrappers) : outside
  return {
    routes: below(api, outside),
    root: filterChain(root, undefined, new Map()),
    misplaced: api._tag === 'Routes' ? children(api, []).flatMap(misplacedIn) : [],
  }
}

const below = (node: AnyNode, place: TreeScope): ReadonlyArray<Route> => {
  if (node._tag === 'Endpoint') return [routeOf(node.definition, place)]
  const inside = nestedScope(place, node.wrappers)
  return [...node.children].flatMap(([key, child]) =>
    below(child, { ...inside, keys: [...inside.keys, key] }),
  )
}

const routeOf = (definition: Definition, place: TreeScope): Route => {
  const name = place.keys.join('.')
  const template = join(place.path, definition.template) || '/'
  const attributes = mergeAttributes(place.attributes, definition.attributes)
  const endpoint = { name, template, method: definition.method ?? '' }
  return {
    name,
    template,
    parsed: parse(template),
    definition,
    attributes,
    chain: filterChain({ ...place, attributes }, endpoint, definition.needs),
  }
}

type Child = readonly [keys: ReadonlyArray<string>, tree: AnyNode]

const children = (node: AnyNode, keys: ReadonlyArray<string>): ReadonlyArray<Child> =>
  node._tag === 'Endpoint'
    ? []
    : [...node.children].map(([key, child]) => [[...keys, key], child] as const)

const misplacedIn = ([keys, node]: Child): FlatTree['misplaced'] =>
  node._tag === 'Endpoint'
    ? []
    : [
        ...nestedScope(rootScope('/'), node.wrappers).layers.flatMap((one) =>
          one._tag === 'Filter' && one.filter._tag === 'PreMatchingFilter'
            ? [[keys.join('.'), one.filter] as const]
            : [],
        ),
        ...children(node, keys).flatMap(misplacedIn),
      ]
