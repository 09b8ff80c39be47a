/** Resolves the links of entities. Links that contain members hidden from the caller are omitted. */
import type { AnyCodec, Codec } from '../../codec/codec.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { hidesMember } from '../../codec/visibility/visibility.ts'
import type { Links } from '../../endpoint/links.ts'
import { toCodec } from '../../endpoint/representation.ts'
import type { Link } from '../../http/link.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { defaultVisibility } from '../../body/visibility.ts'
import type { IsHidden, LinkTable } from '../../compiler/links/link-table.ts'
import type { RequestInfo } from '../context/request-info.ts'
import { serverUrl } from '../exchange.ts'
import { callerVisibility } from '../response/visibility.ts'
import type { WriteContext } from '../response/write-body.ts'

/** A codec that writes an entity, with its visibility rules. */
export interface VisibleEntity {
  readonly codec: Codec
  readonly rules: VisibilityRules | undefined
}

/** Returns the links of an entity. A member is hidden if at least one of the codecs in `shown` hides it from the caller. */
export const visibleLinks = (
  links: LinkTable,
  entity: Codec | undefined,
  value: unknown,
  shown: ReadonlyArray<VisibleEntity>,
  context: Pick<WriteContext, 'exchange' | 'authenticated'>,
): ReadonlyArray<Link> =>
  links.instance(entity, serverUrl(context.exchange), value, hiddenMembers(shown, context))

const hiddenMembers = (
  shown: ReadonlyArray<VisibleEntity>,
  context: Pick<WriteContext, 'authenticated'>,
): IsHidden => {
  const predicates = shown
    .filter(({ codec }) => restrictionsIn(codec).length > 0)
    .map(({ codec, rules = defaultVisibility }) =>
      hidesMember([codec], callerVisibility(codec, rules, context)),
    )
  return (member) => predicates.some((isHidden) => isHidden(member))
}

/** Creates `context.links`: the links of the tree, for a handler or filter. */
export const contextLinks = (request: RequestInfo): Links => {
  const { links } = request.program
  const find = (entity: AnyCodec | string): ReturnType<typeof links.find> =>
    links.find(typeof entity === 'string' ? entity : toCodec(entity))
  return {
    type: (entity) => links.type(find(entity), serverUrl(request.exchange)),
    instance: (entity: AnyCodec | string, value: unknown) => {
      const codec = find(entity)
      const rules = request.operation?.plan.chain.entities.visibility
      const shown = codec === undefined ? [] : [{ codec, rules }]
      return visibleLinks(links, codec, value, shown, request)
    },
  }
}
