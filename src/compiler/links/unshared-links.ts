/**
 * Finds different codecs with the same name whose links are not shared.
 *
 * Links belong to the codec object of an entity. If a tree declares the codec `Book` twice, links that are declared for one of the
 * codecs do not occur in responses that use the other one.
 */
import { isHal } from '../../endpoint/representation.ts'
import type { Codec } from '../../codec/codec.ts'
import type { Plan } from '../plan.ts'
import type { LinkTarget } from './link-path.ts'
import { shapeOfBody } from './operation-entity.ts'

/** Different codecs with the same name, at least one of which has links. */
export interface UnsharedLinks {
  readonly codec: string
  /** The operations that declare or send links of these codecs. */
  readonly operations: ReadonlyArray<string>
}

/** An entity for which an operation declares or sends links. */
interface EntityUse {
  readonly entity: Codec
  /** The name of the declared codec, and the name of the codec that it wraps. */
  readonly names: ReadonlyArray<string>
  readonly operation: string
}

/**
 * Returns the names of codecs whose links are not shared. Considers the entities of link targets, and the entities of operations
 * that send links.
 */
export const findUnsharedLinks = (
  plans: ReadonlyArray<Plan>,
  targets: ReadonlyArray<LinkTarget>,
): ReadonlyArray<UnsharedLinks> => {
  const declared = targets.map(({ entity, of, operation }) => ({
    entity,
    names: [of, entity.name],
    operation,
  }))
  const byName = new Map<string, EntityUse[]>()
  for (const use of [...declared, ...plans.flatMap(sentEntities)])
    for (const name of new Set(use.names)) byName.set(name, [...(byName.get(name) ?? []), use])
  const linked = new Set(targets.map(({ entity }) => entity))
  const reported = new Set<string>()
  return [...byName].flatMap(([codec, uses]) => {
    const entities = new Set(uses.map(({ entity }) => entity))
    const operations = [...new Set(uses.map(({ operation }) => operation))]
    // the same codecs can have several names in common
    const key = operations.join(' ')
    if (entities.size < 2 || reported.has(key)) return []
    if (![...entities].some((entity) => linked.has(entity))) return []
    reported.add(key)
    return [{ codec, operations }]
  })
}

/** Returns the entities in responses to which an operation adds links. */
const sentEntities = ({ name: operation, injectedLinks, offers }: Plan): ReadonlyArray<EntityUse> =>
  offers.flatMap((body) => {
    const shape = injectedLinks !== undefined || isHal(body.format) ? shapeOfBody(body) : undefined
    return shape === undefined
      ? []
      : [{ entity: shape.entity, names: [shape.codec.name, shape.entity.name], operation }]
  })
