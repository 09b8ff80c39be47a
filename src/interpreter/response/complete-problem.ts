/** Adds members to problem documents that the application returns, so that they resemble those of the framework. */
import type { BodyPlan } from '../../body/body-plan.ts'
import type { ProblemDocument } from '../../endpoint/problem.ts'
import * as Status from '../../http/status.ts'
import type { WriteContext } from './write-body.ts'

/** Whether a representation is a problem document. */
export const isProblemPlan = ({ format }: Pick<BodyPlan, 'format'>): boolean =>
  format._tag === 'Problem'

/**
 * Adds `type`, `title`, `status` and `instance` to a problem document. Returns any other entity unchanged.
 *
 * `status` always has the status of the response (RFC 9457, 3.1.2). A document with its own type gets no title, because the title
 * describes the type.
 */
export const completeProblem = (
  entity: unknown,
  plan: Pick<BodyPlan, 'format'> | undefined,
  status: number,
  { instance }: Pick<WriteContext, 'instance'>,
): unknown => {
  if (plan === undefined || !isProblemPlan(plan) || !isObject(entity)) return entity
  const { type = blank } = entity
  const title = entity.title ?? (type === blank ? Status.title(status) : undefined)
  return {
    ...entity,
    type,
    ...(title === undefined ? {} : { title }),
    status,
    instance: entity.instance ?? instance,
  }
}

const blank = 'about:blank'

const isObject = (entity: unknown): entity is ProblemDocument =>
  typeof entity === 'object' && entity !== null
