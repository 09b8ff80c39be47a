/** Finds the entities of operations by their responses, bodies and names. */
import type { Codec } from '../../codec/codec.ts'
import * as Status from '../../http/status.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { codecsOf } from '../nested-representations.ts'
import type { Pattern } from '../../endpoint/internal/path-pattern.ts'
import type { Plan } from '../plan.ts'
import { codecOfBody } from '../../body/entity/select-body-plan.ts'
import type { EntityShape } from './entity.ts'
import { entityOf, shapeOf } from './entity.ts'

/** An entity, and its name at the point of use. */
export interface NamedEntity {
  readonly codec: Codec
  readonly name: string
}

export interface OperationEntities {
  /** The entity of successful responses of an operation. */
  readonly ofResponse: (plan: Plan) => EntityShape | undefined
  /** The entity that links to an operation, or the remedy if there is none. */
  readonly ofTarget: (plan: Plan, said: Codec | string | undefined) => NamedEntity | string
  /** The paths that end in a variable and return a single entity. */
  readonly sites: (entity: Codec) => ReadonlyArray<Pattern>
  /** The entity of a codec, or of a codec's name; `undefined` when there is none, or more than one. */
  readonly find: (entity: Codec | string) => Codec | undefined
}

/** Collects the entities of all operations of a tree. */
export const operationEntities = (plans: ReadonlyArray<Plan>): OperationEntities => {
  const responses = new Map(plans.map((plan) => [plan, responseOf(plan)] as const))
  const bySite = new Map<string, EntityShape>()
  const byName = new Map<string, Codec | undefined>()
  for (const plan of plans) {
    const shape = responses.get(plan)
    const { key } = plan.pattern
    if (shape !== undefined && !bySite.has(key)) bySite.set(key, shape)
    for (const { entity, codec } of [shape, bodyOf(plan)].flatMap((one) => one ?? []))
      for (const name of new Set([entity.name, codec.name]))
        byName.set(name, byName.has(name) && byName.get(name) !== entity ? undefined : entity)
  }
  const find: OperationEntities['find'] = (entity) =>
    typeof entity === 'string' ? byName.get(entity) : shapeOf(entity)?.entity
  return {
    ofResponse: (plan) => responses.get(plan),
    sites: (entity) =>
      plans.flatMap((plan) => {
        const shape = responses.get(plan)
        return shape?.entity === entity && !shape.isCollection && endsInVariable(plan.pattern)
          ? [plan.pattern]
          : []
      }),
    find,
    ofTarget: (plan, said) => {
      if (said !== undefined) {
        const codec = find(said)
        if (typeof said !== 'string')
          return codec === undefined
            ? `${said.name} is not a codec of objects: declare one with rel(…, { entity: … })`
            : { codec, name: said.name }
        return codec === undefined
          ? `${said} is not the name of exactly one entity of the tree: declare the codec with rel(…, { entity: … })`
          : { codec, name: said }
      }
      const shape = responses.get(plan) ?? bySite.get(plan.pattern.key) ?? bodyOf(plan)
      return shape === undefined
        ? 'declare the entity: rel(…, { entity: … })'
        : { codec: shape.entity, name: shape.codec.name }
    },
  }
}

/** Whether the last segment of a path has a variable. */
export const endsInVariable = ({ segments }: Pick<Pattern, 'segments'>): boolean =>
  (segments.at(-1)?._tag ?? 'Text') !== 'Text'

const responseOf = ({ success, responses }: Plan): EntityShape | undefined => {
  const others = [...responses.values()].filter(
    ({ failure, status }) => !failure && Status.isSuccess(status),
  )
  return first([success, ...others].flatMap(({ alternatives }) => alternatives))
}

const bodyOf = ({ bodies }: Plan): EntityShape | undefined => first(bodies)

const first = (contents: ReadonlyArray<BodyPlan>): EntityShape | undefined => {
  for (const content of contents) {
    const shape = shapeOfContent(content)
    if (shape !== undefined) return shape
  }
  return undefined
}

/** Returns the shape of a body. A stream is a collection. */
export const shapeOfContent = (content: BodyPlan): EntityShape | undefined => {
  const { format } = content
  const isStream = format._tag === 'JsonStream' || format._tag === 'EventStream'
  const codec = isStream ? codecsOf(format)[0] : codecOfBody(content)
  if (codec === undefined) return undefined
  if (!isStream) return shapeOf(codec)
  const entity = entityOf(codec)
  return entity === undefined ? undefined : { entity, codec, isCollection: true }
}
