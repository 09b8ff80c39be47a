/** Takes a tree apart: every endpoint with what stands around it, in the order in which the tree names them. */
import type { Definition } from '../endpoint/endpoint.ts'
import type { AnyNode, Wrap } from '../endpoint/routes.ts'
import { join } from '../endpoint/template.ts'

/** An endpoint in its place. */
export interface Route {
  /** The keys on the way to it, joined by dots. */
  readonly name: string
  /** The template with all prefixes. */
  readonly template: string
  readonly definition: Definition
  /** What was provided around it, by slot; the nearest wins. */
  readonly provided: ReadonlyMap<string, unknown>
}

interface Place {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  readonly provided: ReadonlyMap<string, unknown>
}

/** All routes of a tree below a path. */
export const flatten = (api: AnyNode, path: string): ReadonlyArray<Route> =>
  below(api, { keys: [], path, provided: new Map() })

const below = (node: AnyNode, place: Place): ReadonlyArray<Route> => {
  if (node._tag === 'Endpoint') {
    const { definition } = node
    const template = join(place.path, definition.template)
    return [
      {
        name: place.keys.join('.'),
        template: template === '' ? '/' : template,
        definition,
        provided: place.provided,
      },
    ]
  }
  const inside = node.wraps.reduce(within, place)
  return [...node.children].flatMap(([key, child]) =>
    below(child, { ...inside, keys: [...inside.keys, key] }),
  )
}

const within = (place: Place, wrap: Wrap): Place => {
  switch (wrap._tag) {
    case 'Prefix':
      return { ...place, path: join(place.path, wrap.path) }
    case 'Provide':
      return { ...place, provided: new Map([...place.provided, ...Object.entries(wrap.values)]) }
  }
}
