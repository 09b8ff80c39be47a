/** What becomes of credentials that were checked. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Principal } from '../endpoint/context.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Identified } from '../endpoint/authentication.ts'
import { identified } from '../endpoint/authentication.ts'

/** Whose the credentials are; nothing, `none` or a `Left` for nobody's. */
export type Verdict = Principal | undefined | null | Option<Principal> | Either<unknown, Principal>

/** The same now, as a promise, a `Task` or a `TaskEither`. A `Left` with an `HttpError` is answered with it. */
export type Verified = Verdict | Promise<Verdict> | (() => Promise<Verdict>)

/** Why credentials are refused; the cause is for the log. */
export type Reject = (message: string, cause?: unknown) => HttpError

/** What a filter returns for a verdict. */
export const toAuthenticationResult = (
  verified: Verified,
  refuse: Reject,
): Identified | HttpError | Promise<Identified | HttpError> => {
  const verdict = typeof verified === 'function' ? verified() : verified
  return isPromise(verdict) ? verdict.then((later) => judge(later, refuse)) : judge(verdict, refuse)
}

const isPromise = (value: Verdict | Promise<Verdict>): value is Promise<Verdict> =>
  typeof value === 'object' && value !== null && 'then' in value

const judge = (verdict: Verdict, refuse: Reject): Identified | HttpError => {
  if (verdict === undefined || verdict === null || isNone(verdict))
    return refuse('the credentials are not known')
  if (isLeft(verdict))
    return isHttpError(verdict.left)
      ? verdict.left
      : refuse('the credentials are not known', verdict.left)
  if (isRight(verdict)) return identified(verdict.right)
  if (isSome(verdict)) return identified(verdict.value)
  return identified(verdict)
}

/** A principal may have a tag of its own, so more is asked than whether there is one. */
type Tagged<T extends string> = Extract<Verdict, { readonly _tag: T }>

const isTagged =
  <T extends 'None' | 'Some' | 'Left' | 'Right'>(tag: T) =>
  (verdict: object): verdict is Tagged<T> =>
    '_tag' in verdict && verdict._tag === tag

const isNone = isTagged('None')
const isSome = isTagged('Some')
const isLeft = isTagged('Left')
const isRight = isTagged('Right')
