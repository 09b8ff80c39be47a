/** The links of a value as who asks may see them: no link tells of a member that is hidden from who asks. */
import type { Codec } from '../../codec/codec.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { hidesMember } from '../../codec/visibility/visibility.ts'
import type { Link } from '../../http/link.ts'
import type { WriteContext } from '../response/write-context.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { defaultVisibility } from '../../body/visibility.ts'
import { callerProjection } from '../response/visibility.ts'
import type { IsHidden, LinkTable } from '../../compiler/links/link-table.ts'
import { serverUrl } from './server-url.ts'

/** What a value is written as, and what is said of what is shown of it. */
export interface VisibleEntity {
  readonly codec: Codec
  readonly projecting: VisibilityRules | undefined
}

/** All links of a value of an entity. A member is hidden where one of what the value may be written as hides it. */
export const visibleLinks = (
  links: LinkTable,
  entity: Codec | undefined,
  value: unknown,
  shown: ReadonlyArray<VisibleEntity>,
  asking: Pick<WriteContext, 'exchange' | 'authenticated'>,
): ReadonlyArray<Link> =>
  links.instance(entity, serverUrl(asking.exchange), value, hiddenFrom(shown, asking))

const hiddenFrom = (
  shown: ReadonlyArray<VisibleEntity>,
  asking: Pick<WriteContext, 'authenticated'>,
): IsHidden => {
  const hides = shown
    .filter(({ codec }) => restrictionsIn(codec).length > 0)
    .map(({ codec, projecting = defaultVisibility }) =>
      hidesMember([codec], callerProjection(codec, projecting, asking)),
    )
  return (member) => hides.some((hidden) => hidden(member))
}
