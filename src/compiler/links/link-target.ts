/** Targets of links: operations that are marked as such, each with its relation and the entity whose links it belongs to. */
import type { Codec } from '../../codec/codec.ts'
import type { LinkPath } from './link-path.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { LinkAttribute } from '../../endpoint/internal/attributes.ts'
import * as Link from '../../http/link.ts'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import type { Plan } from '../plan.ts'
import type { OperationEntities } from './operation-entity.ts'
import { endsInVariable } from './operation-entity.ts'
import { linkPath, linkVariables } from './link-path.ts'
import { identifierOf, membersOf } from './entity.ts'

/** The target that a plan is; a `Left` with what is wrong with it. */
export const linkTarget =
  (entities: OperationEntities) =>
  (plan: Plan, mark: LinkAttribute): E.Either<Mistake, LinkTarget> => {
    const { title, type } = mark
    const rel = mark.relation ?? relationOf(plan, entities)
    const said = {
      rel,
      ...(title === undefined ? {} : { title }),
      ...(type === undefined ? {} : { type }),
    }
    const wrong = (code: Mistake['code']) => (remedy: string) =>
      E.left<Mistake>({
        code,
        concerns: [`${plan.method} ${plan.template}  (${plan.name})`],
        remedy,
      })
    const unwritable = objection(said)
    if (unwritable !== undefined) return wrong('FW-LINK-003')(unwritable)
    const entity = entities.ofTarget(plan, mark.entity)
    if (typeof entity === 'string') return wrong('FW-LINK-001')(entity)
    const members = membersOf(entity.codec) ?? new Map<string, ReadonlyArray<Codec>>()
    const identifier = identifierOf(members)
    if (identifier !== undefined && !('member' in identifier))
      return wrong('FW-LINK-002')(
        `${entity.name} has several: ${identifier.join(', ')}; mark one with linkId(…)`,
      )
    const codecs = new Map(plan.parameters.path.map(({ key, codec }) => [key, codec] as const))
    const identifies = (variable: string): boolean =>
      identifying(plan.pattern, entities.sites(entity.codec)).has(variable)
    const path = linkPath(plan.template, codecs, { members, identifier, identifies })
    const variables = linkVariables(path)
    return identifier === undefined &&
      variables.length > 0 &&
      variables.every(({ member }) => member === undefined)
      ? wrong('FW-LINK-002')(
          `nothing fills {${variables[0]?.name ?? ''}}: mark the member of ${entity.name} that identifies it with linkId(…)`,
        )
      : E.right({ ...said, entity: entity.codec, of: entity.name, path, operation: plan.name })
  }

/** The variables with which a path ends, or one around it that answers with one entity. */
const identifying = (
  pattern: Plan['pattern'],
  sites: ReadonlyArray<Plan['pattern']>,
): ReadonlySet<string | undefined> => {
  const { key, names } = pattern
  const around = sites.filter((site) => key.startsWith(`${site.key}/`))
  return new Set([
    ...(endsInVariable(pattern) ? [names.at(-1)] : []),
    ...around.map((site) => names[site.names.length - 1]),
  ])
}

/** What is wrong with what a link says. */
const objection = (said: Pick<LinkTarget, 'rel' | 'title' | 'type'>): string | undefined =>
  /\s/.test(said.rel)
    ? `${JSON.stringify(said.rel)} is more than one relation: mark it with one`
    : E.match(
        (error: Error): string | undefined => error.message,
        () => undefined,
      )(E.tryCatch(() => Link.format({ target: '/', ...said }), E.toError))

/** The relation of which nothing was said. */
const relationOf = (plan: Plan, { ofResponse }: OperationEntities): string => {
  switch (plan.method) {
    case 'GET':
      return ofResponse(plan)?.isCollection === true ? 'list' : 'self'
    case 'POST':
      return 'add'
    case 'PUT':
    case 'PATCH':
      return 'update'
    case 'DELETE':
      return 'delete'
    default:
      return plan.name.slice(plan.name.lastIndexOf('.') + 1)
  }
}

export interface LinkTarget {
  readonly rel: string
  readonly title?: string
  readonly type?: string
  readonly entity: Codec
  /** What it is called where it is used. */
  readonly of: string
  readonly path: LinkPath
  /** The name of the operation. */
  readonly operation: string
}
