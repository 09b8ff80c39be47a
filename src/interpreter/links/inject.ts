/** Has responses carry links: the response filter behind `injectLinks`. */
import type { Codec } from '../../codec/codec.ts'
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import { everywhere } from '../../endpoint/filter.ts'
import { bare } from '../../endpoint/hal-wrapper.ts'
import type { LinkMode } from '../../endpoint/marks.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { passing } from '../../endpoint/reply.ts'
import * as Link from '../../http/link.ts'
import * as Status from '../../http/status.ts'
import { underwayOf } from '../call-context.ts'
import type { Plan } from '../plan.ts'
import { hiddenFrom } from './hidden.ts'
import { shapeOfContent } from './entity-of.ts'
import type { Shape } from './entity.ts'
import type { LinkTable } from './link-table.ts'
import { serverOf } from './server.ts'

/** Adds `Link` fields to successful replies; `otherwise` is the entity of those that have none of their own. */
export const injecting = (
  { responses }: Plan,
  links: LinkTable,
  mode: LinkMode,
  otherwise: Codec | undefined,
): ResponseFilter => {
  const shapes = new Map<number, Shape>()
  for (const { status, alternatives } of responses.values())
    for (const shape of alternatives.map(shapeOfContent))
      if (shape !== undefined && !shapes.has(status)) shapes.set(status, shape)
  const injectLinks = (reply: AnyReply, context: ResponseContext): AnyReply | undefined => {
    const call = underwayOf(context)
    if (call === undefined || !Status.isSuccess(reply.status)) return undefined
    const server = serverOf(call.exchange)
    const shape = shapes.get(reply.status)
    const value = bare(reply.entity)
    const alternatives = responses.get(reply.status)?.alternatives ?? []
    const found =
      mode === 'instance' && shape?.isCollection === false && isObject(value)
        ? links.instance(shape.entity, server, value, hiddenFrom(alternatives, call))
        : links.type(shape?.entity ?? otherwise, server)
    return found.length === 0
      ? undefined
      : passing(reply.status, reply.entity, [
          ...reply.headers,
          ...found.flatMap((link) => ['Link', Link.format(link)]),
        ])
  }
  return { _tag: 'ResponseFilter', ...everywhere, run: injectLinks }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
