/** The links of a tree, by entity. They are worked out when it is compiled; a request adds where the server is, and values. */
import type { Codec } from '../../codec/codec.ts'
import type { Link } from '../../http/link.ts'
import { expandLinkPath, linkVariables } from './link-path.ts'
import type { LinkTarget } from './link-target.ts'

/** Says of a member whether it is hidden from who asks. */
export type IsHidden = (member: string) => boolean

export interface LinkTable {
  /** In the order of the tree. */
  readonly targets: ReadonlyArray<LinkTarget>
  /** Whose links are meant by a codec, or by the name of one. */
  readonly find: (entity: Codec | string) => Codec | undefined
  /** Links whose templates have no variables. `server` is what comes before the path, unless the table has a public URL. */
  readonly type: (entity: Codec | undefined, server: string) => ReadonlyArray<Link>
  /** All links, filled from a value. */
  readonly instance: (
    entity: Codec | undefined,
    server: string,
    value: unknown,
    isHidden: IsHidden,
  ) => ReadonlyArray<Link>
}

/** Of a tree in which nothing is said of links. */
export const noLinks: LinkTable = {
  targets: [],
  find: () => undefined,
  type: () => [],
  instance: () => [],
}

export const linkTable = (
  targets: ReadonlyArray<LinkTarget>,
  find: LinkTable['find'],
  publicUrl?: string,
): LinkTable => {
  const byEntity = grouped(targets)
  const plain = targets.filter(({ path }) => linkVariables(path).length === 0)
  const plainByEntity = grouped(plain)
  const paths = new Map(
    plain.map((target) => [target, expandLinkPath(target.path, undefined, nothing)]),
  )
  return {
    targets,
    find,
    type: (entity, server) =>
      of(plainByEntity, entity).map((target) =>
        linkOf(target, (publicUrl ?? server) + (paths.get(target) ?? '')),
      ),
    instance: (entity, server, value, isHidden) =>
      of(byEntity, entity).map((target) =>
        linkOf(target, (publicUrl ?? server) + expandLinkPath(target.path, value, isHidden)),
      ),
  }
}

type ByEntity = ReadonlyMap<Codec, ReadonlyArray<LinkTarget>>

const of = (known: ByEntity, entity: Codec | undefined): ReadonlyArray<LinkTarget> =>
  (entity === undefined ? undefined : known.get(entity)) ?? []

const grouped = (targets: ReadonlyArray<LinkTarget>): ByEntity => {
  const byEntity = new Map<Codec, LinkTarget[]>()
  for (const target of targets) {
    const before = byEntity.get(target.entity)
    if (before === undefined) byEntity.set(target.entity, [target])
    else before.push(target)
  }
  return byEntity
}

const nothing: IsHidden = () => false

const linkOf = ({ rel, title, type }: LinkTarget, target: string): Link => ({
  target,
  rel,
  ...(title === undefined ? {} : { title }),
  ...(type === undefined ? {} : { type }),
})
