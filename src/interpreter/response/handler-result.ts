/** What a handler returned, put into the one form of a reply: a value, a reply, an `Either`, an error, or any of them later. */
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply, reply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { isAsync, whenSettled } from '../maybe-async.ts'
import { findMapper } from '../errors/find-mapper.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { codecOfBody } from '../../body/entity/select-body-plan.ts'
import type { ResponseValue } from './encode-response.ts'

/** What a result is told to, once. */
export interface ResultReceiver {
  readonly respond: (outcome: ResponseValue) => void
  readonly fail: (error: unknown) => void
}

/** Puts a result into a reply, now when it is there and later when it is promised; no promise is made for one that is there. */
export const normalizeResult = (result: unknown, plan: Plan, call: ResultReceiver): void =>
  isAsync(result)
    ? whenSettled(
        result,
        (value) => conclude(value, plan, call),
        (error) => call.fail(error),
      )
    : conclude(result, plan, call)

const conclude = (value: unknown, plan: Plan, call: ResultReceiver): void => {
  if (!isEither(value)) concludeWith(value, plan, call)
  else if (value._tag === 'Left') refuse(value.left, plan, call)
  else concludeWith(value.right, plan, call)
}

const concludeWith = (bare: unknown, plan: Plan, call: ResultReceiver): void => {
  if (isReply(bare)) return call.respond(bare)
  if (isHttpError(bare)) return call.fail(bare)
  call.respond(
    bare === undefined || bare === null
      ? { status: emptyStatus(plan), entity: undefined, headers: Headers.empty }
      : { status: plan.success.status, entity: bare, headers: Headers.empty },
  )
}

/** Nothing is sent as 204, unless something was said of what is produced. */
const emptyStatus = ({ success }: Plan): number =>
  success.alternatives.length === 0 ? success.status : 204

type AnyEither =
  | { readonly _tag: 'Left'; readonly left: unknown }
  | { readonly _tag: 'Right'; readonly right: unknown }

const isEither = (value: unknown): value is AnyEither =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  ((value._tag === 'Left' && 'left' in value) || (value._tag === 'Right' && 'right' in value))

/**
 * A `Left` is meant to be the first declared failure whose content it fits. What fits none, such as what a client says of another
 * service, is an error for a mapper, and so is one that has a mapper where only a representation of the application's own could
 * take it: that cannot be asked.
 */
const refuse = (left: unknown, { name, responses, chain }: Plan, call: ResultReceiver): void => {
  if (isReply(left)) return call.respond(left)
  if (isHttpError(left)) return call.fail(left)
  const declared = [...responses.values()].filter((response) => response.failure)
  const isMapped = chain.mappers.length > 0 && isKnown(chain.mappers, left)
  const meant = declared.find((response) => fits(left, response, !isMapped))
  if (meant !== undefined) return call.respond(reply(meant.status, left))
  const defect = `a Left of ${name} is none of the failures it declares`
  const cause = hasRestrictions(responses) ? {} : { cause: left }
  call.fail(isMapped ? left : new TypeError(defect, cause))
}

/** What an operation may not write for everybody is not told to the log either. */
const hasRestrictions = (responses: Plan['responses']): boolean =>
  [...responses.values()].some(({ alternatives }) =>
    alternatives.some((content) => {
      const codec = codecOfBody(content)
      return codec !== undefined && restrictionsIn(codec).length > 0
    }),
  )

/** Whether there is a mapper for a value. One whose guard throws is asked again where that is taken care of. */
const isKnown = (mappers: Plan['chain']['mappers'], value: unknown): boolean => {
  try {
    return findMapper(mappers, value) !== undefined
  } catch {
    return true
  }
}

const fits = (value: unknown, { alternatives }: ResponsePlan, orCustom: boolean): boolean =>
  alternatives.length === 0
    ? value === undefined
    : alternatives.some(({ format }) =>
        format._tag === 'Custom' ? orCustom : bodyFormat(format).accepts(value),
      )
