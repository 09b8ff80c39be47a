/** Works links out for a whole tree: gathers the targets, and has operations send links by a step of their chain. */
import * as E from 'fp-ts/lib/Either.js'
import type { Mistake } from '../../endpoint/mistake.ts'
import type { Plan } from '../plan.ts'
import { entitiesOf } from './operation-entity.ts'
import { injecting } from '../../interpreter/links/inject-links.ts'
import type { LinkTable } from './link-table.ts'
import { linkTable, noLinks } from './link-table.ts'
import { targetOf } from './targets.ts'

export interface Linked {
  readonly plans: ReadonlyArray<Plan>
  readonly links: LinkTable
  readonly mistakes: ReadonlyArray<Mistake>
}

/** Nothing is looked for in a tree that says nothing of links. */
export const link = (plans: ReadonlyArray<Plan>, publicUrl?: string): Linked => {
  if (plans.every(({ marks }) => marks.link === undefined && marks.linkMode === undefined))
    return { plans, links: noLinks, mistakes: [] }
  const entities = entitiesOf(plans)
  const found = plans.flatMap((plan) =>
    plan.marks.link === undefined ? [] : [targetOf(entities)(plan, plan.marks.link)],
  )
  const links = linkTable(
    found.flatMap((one) => (E.isRight(one) ? [one.right] : [])),
    entities.find,
    publicUrl,
  )
  return {
    plans: plans.map((plan) => injected(plan, links, entities)),
    links,
    mistakes: found.flatMap((one) => (E.isLeft(one) ? [one.left] : [])),
  }
}

/** The filter stands innermost, so that those of the application see the links. */
const injected = (plan: Plan, links: LinkTable, entities: ReturnType<typeof entitiesOf>): Plan => {
  const { linkMode } = plan.marks
  if (linkMode === undefined) return plan
  const entity = entities.ofTarget(plan, plan.marks.link?.entity)
  const filter = injecting(
    plan,
    links,
    linkMode,
    typeof entity === 'string' ? undefined : entity.codec,
  )
  const { chain } = plan
  return { ...plan, chain: { ...chain, response: [filter, ...chain.response] } }
}
