/** Determines which entity each operation handles, based on the declared responses, bodies and entity names. */
import type { Codec } from '../../codec/codec.ts'
import * as Status from '../../http/status.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { codecsOf } from '../operation-representations.ts'
import type { Pattern } from '../../endpoint/definition/path-pattern.ts'
import type { Plan } from '../plan.ts'
import { codecOfBody } from '../../body/body-plan.ts'
import type { EntityShape } from './entity.ts'
import { entityOf, shapeOf } from './entity.ts'

/** An entity and the name by which an operation refers to it. */
export interface NamedEntity {
  readonly codec: Codec
  readonly name: string
}

/** Functions that find the entities that the operations in a tree send or receive. */
export interface OperationEntities {
  /** Returns the entity that an operation sends in successful responses. */
  readonly ofResponse: (plan: Plan) => EntityShape | undefined
  /**
   * Returns the entity whose links include the operation. If the entity cannot be determined, returns a string that describes how
   * to fix the declaration.
   */
  readonly ofTarget: (plan: Plan, declared: Codec | string | undefined) => NamedEntity | string
  /**
   * Returns the path patterns of operations that return a single object described by `entity`. Includes only patterns that end
   * in a variable.
   */
  readonly patterns: (entity: Codec) => ReadonlyArray<Pattern>
  /**
   * Returns the entity described by a codec, or the entity whose codec has the given name. Returns `undefined` if the name is
   * unknown or ambiguous.
   */
  readonly find: (entity: Codec | string) => Codec | undefined
}

/** Determines the entities that the operations in a tree send and receive. */
export const operationEntities = (plans: ReadonlyArray<Plan>): OperationEntities => {
  const responses = new Map(plans.map((plan) => [plan, responseOf(plan)] as const))
  const byPath = new Map<string, EntityShape>()
  const byName = new Map<string, Codec | undefined>()
  for (const plan of plans) {
    const shape = responses.get(plan)
    const { key } = plan.pattern
    if (shape !== undefined && !byPath.has(key)) byPath.set(key, shape)
    for (const { entity, codec } of [shape, bodyOf(plan)].flatMap((candidate) => candidate ?? []))
      for (const name of new Set([entity.name, codec.name]))
        byName.set(name, byName.has(name) && byName.get(name) !== entity ? undefined : entity)
  }
  const find: OperationEntities['find'] = (entity) =>
    typeof entity === 'string' ? byName.get(entity) : shapeOf(entity)?.entity
  return {
    ofResponse: (plan) => responses.get(plan),
    patterns: (entity) =>
      plans.flatMap((plan) => {
        const shape = responses.get(plan)
        return shape?.entity === entity && !shape.isCollection && endsInVariable(plan.pattern)
          ? [plan.pattern]
          : []
      }),
    find,
    ofTarget: (plan, declared) => {
      if (declared !== undefined) {
        const codec = find(declared)
        if (typeof declared !== 'string')
          return codec === undefined
            ? `${declared.name} is not an object codec: declare one with rel(…, { entity: … })`
            : { codec, name: declared.name }
        return codec === undefined
          ? `${declared} must be the name of exactly one entity in the tree: declare the codec with rel(…, { entity: … })`
          : { codec, name: declared }
      }
      const shape = responses.get(plan) ?? byPath.get(plan.pattern.key) ?? bodyOf(plan)
      return shape === undefined
        ? 'declare the entity: rel(…, { entity: … })'
        : { codec: shape.entity, name: shape.codec.name }
    },
  }
}

/** Whether the last segment of a path contains a variable. */
export const endsInVariable = ({ segments }: Pick<Pattern, 'segments'>): boolean =>
  (segments.at(-1)?._tag ?? 'Text') !== 'Text'

const responseOf = ({ success, responses }: Plan): EntityShape | undefined => {
  const others = [...responses.values()].filter(
    ({ failure, status }) => !failure && Status.isSuccess(status),
  )
  return firstShape([success, ...others].flatMap(({ alternatives }) => alternatives))
}

const bodyOf = ({ bodies }: Plan): EntityShape | undefined => firstShape(bodies)

const firstShape = (bodies: ReadonlyArray<BodyPlan>): EntityShape | undefined => {
  for (const body of bodies) {
    const shape = shapeOfBody(body)
    if (shape !== undefined) return shape
  }
  return undefined
}

/** Returns the entity shape of a body. A stream counts as a collection. */
export const shapeOfBody = (body: BodyPlan): EntityShape | undefined => {
  const { format } = body
  const isStream = format._tag === 'JsonStream' || format._tag === 'EventStream'
  const codec = isStream ? codecsOf(format)[0] : codecOfBody(body)
  if (codec === undefined) return undefined
  if (!isStream) return shapeOf(codec)
  const entity = entityOf(codec)
  return entity === undefined ? undefined : { entity, codec, isCollection: true }
}
