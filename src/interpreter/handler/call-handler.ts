/** Calls handlers directly, without the steps of the pipeline that precede and follow a handler. */
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import { settle } from '../../body/maybe-async.ts'
import type { ResolvedNeed } from '../../compiler/filter-chain.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Context } from '../../endpoint/context.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply, makeReply } from '../../endpoint/reply.ts'
import * as Status from '../../http/status.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import type { ResponseValue } from '../response/encode-response.ts'
import { undeclaredStatus } from '../response/encode-response.ts'
import { normalizeResult } from './handler-result.ts'
import { isObject, isTagged } from '../../http/platform-value.ts'

/**
 * Calls the handler of an operation. The `Right` is a reply with a declared success. The `Left` is a reply with a declared failure, an
 * `HttpError`, or any other value that the handler returns in a `Left`, such as a tagged error.
 *
 * The promise is rejected with any other error, and with a `TypeError` if the result is not declared.
 */
export const callHandler = async (
  plan: Plan,
  input: HandlerInput,
  context: Context,
): Promise<Either<unknown, AnyReply>> => {
  let result: unknown
  try {
    result = await settle(plan.handler(input, context))
  } catch (error) {
    if (isHttpError(error)) return E.left(error)
    throw error
  }
  const normalized = normalizeResult(result, plan)
  if (E.isRight(normalized)) return declaredReply(normalized.right, plan)
  const { left: error } = normalized
  if (isHttpError(error)) return normalized
  if (isLeft(result)) return result
  throw error
}

const isLeft = (result: unknown): result is E.Left<unknown> => isTagged(result, 'Left')

/** Converts a response value to a reply. Throws a `TypeError` if the status is not declared. */
const declaredReply = (response: ResponseValue, plan: Plan): Either<AnyReply, AnyReply> => {
  const { status, entity, headers } = response
  const declared = plan.responses.get(status)
  if (declared === undefined && (entity !== undefined || Status.allowsBody(status)))
    throw undeclaredStatus(plan.name, status)
  const reply = isReply(response) ? response : makeReply(status, entity, headers)
  return declared?.failure === true ? E.left(reply) : E.right(reply)
}

/** Returns the value of a slot, or `undefined` if it has none. The object distinguishes a missing value from `undefined`. */
export type FindSlotValue = (need: ResolvedNeed) => { readonly value: unknown } | undefined

/**
 * Completes the `needs` in the input of a handler. Values in the input take precedence. Throws a `TypeError` if a slot has no value.
 */
export const withNeeds = (
  { name, chain }: Pick<Plan, 'name' | 'chain'>,
  input: Readonly<Record<string, unknown>>,
  find: FindSlotValue,
): HandlerInput => {
  if (chain.needs.length === 0) return { ...input }
  const given = membersOf(input['needs'])
  const needs: Record<string, unknown> = {}
  for (const need of chain.needs) {
    const { local, key } = need
    const found = given.has(local) ? { value: given.get(local) } : find(need)
    if (found === undefined)
      throw new TypeError(
        `missing dependency: the slot "${key}" of ${name} has no value for this request, so pass it in needs`,
      )
    needs[local] = found.value
  }
  return { ...input, needs }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(isObject(value) ? Object.entries(value) : [])
