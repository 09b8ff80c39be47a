/**
 * Collects the links to the operations in a tree, grouped by entity. Link paths are computed when the tree is compiled. The
 * server URL and the values of variables are added for each request.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Link } from '../../http/link.ts'
import { expandLinkPath, linkVariables, linkTarget } from './link-path.ts'
import type { LinkPath, LinkTarget, SlotsByKey } from './link-path.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Plan } from '../plan.ts'
import { operationEntities, shapeOfBody } from './operation-entity.ts'
import { isHal } from '../../endpoint/representation.ts'

/** Returns whether an entity member is hidden from the caller. */
export type IsHidden = (member: string) => boolean

/** The properties of a request that its links depend on. */
export interface LinkOrigin {
  /** The URL of the server, without a trailing slash. */
  readonly server: string
  /** The values of prefix variables, by slot key. */
  readonly slots: SlotsByKey
}

/** The links to operations in a tree. */
export interface LinkTable {
  /** All link targets, in the order in which their operations occur in the tree. */
  readonly targets: ReadonlyArray<LinkTarget>
  /**
   * Finds an entity by a codec or by the name of a codec. Returns `undefined` if there is no such entity or the name is ambiguous.
   */
  readonly find: (entity: Codec | string) => Codec | undefined
  /**
   * Returns the links of an entity, except links with variables in their paths. Prefix variables are allowed if their slots have
   * values. URLs start with the configured public URL or, if it is not set, with the URL of the server.
   */
  readonly type: (entity: Codec | undefined, origin: LinkOrigin) => ReadonlyArray<Link>
  /** Returns all links of an entity. Path variables are replaced with the values of the corresponding members of `value`. */
  readonly instance: (
    entity: Codec | undefined,
    origin: LinkOrigin,
    value: unknown,
    isHidden: IsHidden,
  ) => ReadonlyArray<Link>
}

/** The link table for a tree without links. */
export const noLinks: LinkTable = {
  targets: [],
  find: () => undefined,
  type: () => [],
  instance: () => [],
}

const linkTable = (
  targets: ReadonlyArray<LinkTarget>,
  find: LinkTable['find'],
  publicUrl?: string,
): LinkTable => {
  const byEntity = groupByEntity(targets)
  const linkTo = (target: LinkTarget, server: string, path: string): Link =>
    linkOf(target, (publicUrl ?? server) + path)
  return {
    targets,
    find,
    type: (entity, { server, slots }) =>
      targetsOf(byEntity, entity)
        .filter(({ path }) => isFilled(path, slots))
        .map((target) =>
          linkTo(target, server, expandLinkPath(target.path, undefined, notHidden, slots)),
        ),
    instance: (entity, { server, slots }, value, isHidden) =>
      targetsOf(byEntity, entity).map((target) =>
        linkTo(target, server, expandLinkPath(target.path, value, isHidden, slots)),
      ),
  }
}

/** Whether slots have the values of all variables in a path. */
const isFilled = (path: LinkPath, slots: SlotsByKey): boolean =>
  linkVariables(path).every(({ slot }) => slot !== undefined && slots[slot] !== undefined)

type ByEntity = ReadonlyMap<Codec, ReadonlyArray<LinkTarget>>

const targetsOf = (table: ByEntity, entity: Codec | undefined): ReadonlyArray<LinkTarget> =>
  (entity === undefined ? undefined : table.get(entity)) ?? []

const groupByEntity = (targets: ReadonlyArray<LinkTarget>): ByEntity => {
  const byEntity = new Map<Codec, LinkTarget[]>()
  for (const target of targets) {
    const group = byEntity.get(target.entity)
    if (group === undefined) byEntity.set(target.entity, [target])
    else group.push(target)
  }
  return byEntity
}

const notHidden: IsHidden = () => false

const linkOf = ({ rel, title, type }: LinkTarget, target: string): Link => ({
  target,
  rel,
  ...(title === undefined ? {} : { title }),
  ...(type === undefined ? {} : { type }),
})

/** The result of {@link planLinks}. */
export interface LinkPlan {
  /** The plans with their injected links. */
  readonly plans: ReadonlyArray<Plan>
  readonly links: LinkTable
  /** The errors in link declarations. */
  readonly errors: ReadonlyArray<ConfigurationIssue>
  /** Different codecs with the same name, which do not share their links. */
  readonly unshared: ReadonlyArray<UnsharedLinks>
}

/**
 * Creates the link table for a tree, and adds injected links to the plans. If the tree has no links, the plans are not changed.
 */
export const planLinks = (plans: ReadonlyArray<Plan>, publicUrl?: string): LinkPlan => {
  if (
    plans.every(
      ({ attributes }) => attributes.link === undefined && attributes.linkMode === undefined,
    )
  )
    return { plans, links: noLinks, errors: [], unshared: [] }
  const entities = operationEntities(plans)
  const results = plans.flatMap((plan) =>
    plan.attributes.link === undefined ? [] : [linkTarget(entities)(plan, plan.attributes.link)],
  )
  const targets = results.flatMap((target) => (E.isRight(target) ? [target.right] : []))
  const linkedPlans = plans.map((plan) => withInjectedLinks(plan, entities))
  return {
    plans: linkedPlans,
    links: linkTable(targets, entities.find, publicUrl),
    errors: results.flatMap((target) => (E.isLeft(target) ? [target.left] : [])),
    unshared: findUnsharedLinks(linkedPlans, targets),
  }
}

const withInjectedLinks = (plan: Plan, entities: ReturnType<typeof operationEntities>): Plan => {
  const { linkMode: mode } = plan.attributes
  if (mode === undefined) return plan
  const entity = entities.ofTarget(plan, plan.attributes.link?.entity)
  const codec = typeof entity === 'string' ? undefined : entity.codec
  return { ...plan, injectedLinks: { mode, codec } }
}

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
 * Returns the names of codecs whose links are not shared. Links belong to the codec object of an entity. If a tree declares the codec
 * `Book` twice, links that are declared for one of the codecs do not occur in responses that use the other one. Considers the entities of link targets, and the entities of operations
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
