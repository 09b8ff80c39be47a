/** The member that identifies an entity: the one marked as `linkId`, else the `primaryKey`, else the one called `id`. */
import type { Codec } from '../../codec/codec.ts'
import { children, wrapped } from '../../codec/structure/codec-structure.ts'
import type { IdentifierKind } from '../../endpoint/links.ts'
import { identifierKind } from '../../endpoint/links.ts'

export interface EntityIdentifier {
  readonly member: string
  /** Whether it was marked, or only goes by its name. */
  readonly isMarked: boolean
}

/** The identifier among members; the names of those that contend for it, where there are several. */
export const identifierOf = (
  members: ReadonlyMap<string, ReadonlyArray<Codec>>,
): EntityIdentifier | ReadonlyArray<string> | undefined => {
  for (const kind of ['linkId', 'primaryKey'] as const) {
    const [member, ...others] = [...members].flatMap(([name, codecs]) =>
      codecs.some((codec) => isMarkedAs(kind, codec)) ? [name] : [],
    )
    if (member !== undefined)
      return others.length > 0 ? [member, ...others] : { member, isMarked: true }
  }
  return members.has('id') ? { member: 'id', isMarked: false } : undefined
}

/** A mark stands on a codec, or on one inside that describes the same value. */
const isMarkedAs = (kind: IdentifierKind, codec: Codec): boolean => {
  const seen = new Set<Codec>()
  const find = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    return (
      identifierKind(one) === kind ||
      ((one._tag === 'UnionType' || wrapped(one) !== undefined) && children(one).some(find))
    )
  }
  return find(codec)
}
