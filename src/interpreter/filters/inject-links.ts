/** Adds an entity's links to the response as `Link` headers (RFC 8288). */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import { defaultOrder } from '../../endpoint/filter.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { makeReply } from '../../endpoint/reply.ts'
import * as Link from '../../http/link.ts'
import * as Status from '../../http/status.ts'
import { requestInfoOf } from '../context/exchange-context.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { InjectedLinks, Plan } from '../../compiler/plan.ts'
import type { VisibleEntity } from '../response/links.ts'
import { linkOrigin, visibleLinks } from '../response/links.ts'
import { shapeOfBody } from '../../compiler/links/operation-entity.ts'
import type { EntityShape } from '../../compiler/links/entity.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'
import { isObject } from '../../http/platform-value.ts'

/** Creates a response filter that adds `Link` headers to the successful responses of an operation. */
export const injectLinks = (
  { responses }: Plan,
  links: LinkTable,
  { mode, codec }: InjectedLinks,
): ResponseFilter => {
  const entities = new Map(
    [...responses.values()].map(
      ({ status, alternatives }) => [status, declaredEntity(alternatives)] as const,
    ),
  )
  const run = (reply: AnyReply, context: ResponseContext): AnyReply | undefined => {
    const info = requestInfoOf(context)
    if (info === undefined || !Status.isSuccess(reply.status)) return undefined
    const { shape, codecs = [] } = entities.get(reply.status) ?? {}
    const value = unwrapHal(reply.entity)
    const entityLinks =
      mode === 'instance' && shape?.isCollection === false && isObject(value)
        ? visibleLinks(links, shape.entity, value, codecs, info)
        : links.type(shape?.entity ?? codec, linkOrigin(info))
    return entityLinks.length === 0
      ? undefined
      : makeReply(reply.status, reply.entity, [
          ...reply.headers,
          ...entityLinks.flatMap((link) => ['Link', Link.format(link)]),
        ])
  }
  return { _tag: 'ResponseFilter', ...defaultOrder, run }
}

/** The entity declared for responses with a given status. */
interface DeclaredEntity {
  readonly shape: EntityShape | undefined
  /** The codecs of all alternative representations. The headers must not depend on which of these representations is sent. */
  readonly codecs: ReadonlyArray<VisibleEntity>
}

const declaredEntity = (alternatives: ReadonlyArray<BodyPlan>): DeclaredEntity => {
  const shapes = alternatives.flatMap((plan) => {
    const shape = shapeOfBody(plan)
    return shape === undefined ? [] : [{ shape, rules: plan.visibility }]
  })
  return {
    shape: shapes[0]?.shape,
    codecs: shapes.map(({ shape: { codec }, rules }) => ({ codec, rules })),
  }
}
