/** Resolves links for entities. A link is omitted if it contains the value of a member that is hidden from the caller. */
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import type { AnyCodec, Codec } from '../../codec/codec.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { hidesMember } from '../../codec/visibility/visibility.ts'
import type { Links } from '../../endpoint/links.ts'
import { toCodec } from '../../endpoint/representation.ts'
import type { Link } from '../../http/link.ts'
import type { VisibilityRules } from '../../body/body-plan.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { IsHidden, LinkOrigin, LinkTable } from '../../compiler/links/link-table.ts'
import type { RequestInfo } from '../request-info.ts'
import { serverUrl } from '../exchange.ts'
import { callerVisibility } from './write-body.ts'
import type { WriteContext } from './write-body.ts'

/** A codec that encodes an entity, and the visibility rules for this codec. */
export interface VisibleEntity {
  readonly codec: Codec
  readonly rules: VisibilityRules | undefined
}

/**
 * Returns the links for an entity, except those that contain the value of a hidden member. A member is hidden if at least one of
 * `codecs` hides it from the caller.
 */
export const visibleLinks = (
  links: LinkTable,
  entity: Codec | undefined,
  value: unknown,
  codecs: ReadonlyArray<VisibleEntity>,
  context: Pick<WriteContext, 'exchange' | 'authenticated' | 'prefixValues'>,
): ReadonlyArray<Link> =>
  links.instance(entity, linkOrigin(context), value, hiddenMembers(codecs, context))

/** Returns the properties of a request that its links depend on. */
export const linkOrigin = ({
  exchange,
  prefixValues,
}: Pick<WriteContext, 'exchange' | 'prefixValues'>): LinkOrigin => ({
  server: serverUrl(exchange),
  slots: prefixValues,
})

const hiddenMembers = (
  codecs: ReadonlyArray<VisibleEntity>,
  context: Pick<WriteContext, 'authenticated'>,
): IsHidden => {
  const predicates = codecs
    .filter(({ codec }) => restrictionsIn(codec).length > 0)
    .map(({ codec, rules = defaultVisibility }) =>
      hidesMember([codec], callerVisibility(codec, rules, context)),
    )
  return (member) => predicates.some((isHidden) => isHidden(member))
}

/**
 * Creates the object returned by `linksOf(context)`. Handlers and filters use it to resolve the links declared in the route tree.
 */
export const contextLinks = (request: RequestInfo): Links => {
  const { links } = request.program
  const find = (entity: AnyCodec | AnySchema | string): ReturnType<typeof links.find> =>
    links.find(typeof entity === 'string' ? entity : toCodec(entity))
  return {
    type: (entity) => links.type(find(entity), linkOrigin(request)),
    instance: (entity: AnyCodec | AnySchema | string, value: unknown) => {
      const codec = find(entity)
      const rules = request.operation?.plan.chain.entities.visibility
      const codecs = codec === undefined ? [] : [{ codec, rules }]
      return visibleLinks(links, codec, value, codecs, request)
    },
  }
}
