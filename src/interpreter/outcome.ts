/** What a handler returned, put into the one form of a reply: a value, a reply, an `Either`, an error, or any of them later. */
import type { Codec } from '../codec/codec.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { AnyReply } from '../endpoint/reply.ts'
import { isReply, reply } from '../endpoint/reply.ts'
import * as Headers from '../http/headers.ts'
import type { ContentPlan, Plan, ResponsePlan } from './plan.ts'
import type { Outcome } from './respond.ts'

/** What a result is told to, once. */
export interface Settling {
  readonly replied: (outcome: Outcome) => void
  readonly failed: (error: unknown) => void
}

/** Puts a result into a reply, now when it is there and later when it is promised; no promise is made for one that is there. */
export const settle = (result: unknown, plan: Plan, call: Settling): void => {
  const value: unknown = typeof result === 'function' ? result() : result
  if (!isThenable(value)) return call.replied(outcomeOf(value, plan))
  const later = (settled: unknown): void => {
    try {
      call.replied(outcomeOf(settled, plan))
    } catch (error) {
      call.failed(error)
    }
  }
  // a promise is its own resolution; any other thenable is held to settle once
  Promise.resolve(value).then(later, (error: unknown) => call.failed(error))
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

const outcomeOf = (value: unknown, plan: Plan): Outcome => {
  const bare = isEither(value)
    ? value._tag === 'Left'
      ? failure(value.left, plan)
      : value.right
    : value
  if (isReply(bare)) return bare
  if (isHttpError(bare)) throw bare
  return bare === undefined || bare === null
    ? { status: emptyStatus(plan), entity: undefined, headers: Headers.empty }
    : { status: plan.success.status, entity: bare, headers: Headers.empty }
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

/** The declared failure that a `Left` is meant to be: the only one, or the first whose content the value fits. */
const failure = (left: unknown, { responses, name }: Plan): AnyReply | HttpError => {
  if (isReply(left) || isHttpError(left)) return left
  const declared = [...responses.values()].filter((response) => response.failure)
  const [only, ...others] = declared
  const meant = others.length === 0 ? only : declared.find(fits(left))
  if (meant === undefined)
    throw new TypeError(`a Left of ${name} is none of the failures it declares`)
  return reply(meant.status, left)
}

const fits =
  (value: unknown) =>
  ({ alternatives }: ResponsePlan): boolean =>
    alternatives.length === 0
      ? value === undefined
      : alternatives.some(({ format }) => takes(format, value))

const takes = (format: ContentPlan['format'], value: unknown): boolean => {
  switch (format._tag) {
    case 'Json':
      return format.codec.is(value)
    case 'Text':
      return isOf(format.codec, value)
    case 'RawJson':
      return typeof value === 'string'
    case 'Bytes':
      return value instanceof Uint8Array
    case 'FormMap':
    case 'Form':
      return value instanceof Map
    case 'Custom':
      return true
  }
}

const isOf = (codec: Codec | undefined, value: unknown): boolean =>
  codec === undefined ? typeof value === 'string' : codec.is(value)
