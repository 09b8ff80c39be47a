/** Computes the links of a tree: collects the targets, and adds to each plan which links its responses carry. */
import * as E from 'fp-ts/lib/Either.js'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import type { Plan } from '../plan.ts'
import { operationEntities } from './operation-entity.ts'
import type { LinkTable } from './link-table.ts'
import { linkTable, noLinks } from './link-table.ts'
import { linkTarget } from './link-target.ts'

export interface LinkPlan {
  readonly plans: ReadonlyArray<Plan>
  readonly links: LinkTable
  readonly errors: ReadonlyArray<Mistake>
}

/** Returns the plans unchanged for a tree without links. */
export const planLinks = (plans: ReadonlyArray<Plan>, publicUrl?: string): LinkPlan => {
  if (
    plans.every(
      ({ attributes }) => attributes.link === undefined && attributes.linkMode === undefined,
    )
  )
    return { plans, links: noLinks, errors: [] }
  const entities = operationEntities(plans)
  const found = plans.flatMap((plan) =>
    plan.attributes.link === undefined ? [] : [linkTarget(entities)(plan, plan.attributes.link)],
  )
  const links = linkTable(
    found.flatMap((one) => (E.isRight(one) ? [one.right] : [])),
    entities.find,
    publicUrl,
  )
  return {
    plans: plans.map((plan) => withInjectedLinks(plan, entities)),
    links,
    errors: found.flatMap((one) => (E.isLeft(one) ? [one.left] : [])),
  }
}

const withInjectedLinks = (plan: Plan, entities: ReturnType<typeof operationEntities>): Plan => {
  const { linkMode: mode } = plan.attributes
  if (mode === undefined) return plan
  const entity = entities.ofTarget(plan, plan.attributes.link?.entity)
  const codec = typeof entity === 'string' ? undefined : entity.codec
  return { ...plan, injectedLinks: { mode, codec } }
}
