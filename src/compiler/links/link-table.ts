/** The links of a tree by entity, computed when the tree is compiled. A request adds the server URL and values. */
import type { Codec } from '../../codec/codec.ts'
import type { Link } from '../../http/link.ts'
import { expandLinkPath, linkVariables } from './link-path.ts'
import type { LinkTarget } from './link-target.ts'

/** Whether a member is hidden from the caller. */
export type IsHidden = (member: string) => boolean

export interface LinkTable {
  /** In the order of the tree. */
  readonly targets: ReadonlyArray<LinkTarget>
  /** Finds the entity of a codec or of its name. */
  readonly find: (entity: Codec | string) => Codec | undefined
  /** Returns links whose templates have no variables. `server` precedes the path unless a public URL is configured. */
  readonly type: (entity: Codec | undefined, server: string) => ReadonlyArray<Link>
  /** Returns all links, expanded from a value. */
  readonly instance: (
    entity: Codec | undefined,
    server: string,
    value: unknown,
    isHidden: IsHidden,
  ) => ReadonlyArray<Link>
}

/** The table of a tree without links. */
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
