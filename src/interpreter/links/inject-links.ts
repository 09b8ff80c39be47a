/** The response filter of `injectLinks`. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import { defaultOrder } from '../../endpoint/filter.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { transientReply } from '../../endpoint/reply.ts'
import * as Link from '../../http/link.ts'
import * as Status from '../../http/status.ts'
import { requestInfoOf } from '../context/exchange-context.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { InjectedLinks, Plan } from '../../compiler/plan.ts'
import type { VisibleEntity } from './visible-links.ts'
import { visibleLinks } from './visible-links.ts'
import { shapeOfContent } from '../../compiler/links/operation-entity.ts'
import type { EntityShape } from '../../compiler/links/entity.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'
import { serverUrl } from './server-url.ts'

/** Makes a filter that adds `Link` headers to successful responses. */
export const injectLinks = (
  { responses }: Plan,
  links: LinkTable,
  { mode, codec }: InjectedLinks,
): ResponseFilter => {
  const sent = new Map(
    [...responses.values()].map(
      ({ status, alternatives }) => [status, sentIn(alternatives)] as const,
    ),
  )
  const run = (reply: AnyReply, context: ResponseContext): AnyReply | undefined => {
    const call = requestInfoOf(context)
    if (call === undefined || !Status.isSuccess(reply.status)) return undefined
    const { shape, shown = [] } = sent.get(reply.status) ?? {}
    const value = unwrapHal(reply.entity)
    const found =
      mode === 'instance' && shape?.isCollection === false && isObject(value)
        ? visibleLinks(links, shape.entity, value, shown, call)
        : links.type(shape?.entity ?? codec, serverUrl(call.exchange))
    return found.length === 0
      ? undefined
      : transientReply(reply.status, reply.entity, [
          ...reply.headers,
          ...found.flatMap((link) => ['Link', Link.format(link)]),
        ])
  }
  return { _tag: 'ResponseFilter', ...defaultOrder, run }
}

interface Sent {
  readonly shape: EntityShape | undefined
  /** A field is the same whichever alternative is chosen. */
  readonly shown: ReadonlyArray<VisibleEntity>
}

const sentIn = (alternatives: ReadonlyArray<BodyPlan>): Sent => {
  const all = alternatives.flatMap((content) => {
    const shape = shapeOfContent(content)
    return shape === undefined ? [] : [{ shape, projecting: content.visibility }]
  })
  return {
    shape: all[0]?.shape,
    shown: all.map(({ shape: { codec }, projecting }) => ({ codec, projecting })),
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
