/** Results of functions that verify credentials. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Principal } from '../endpoint/context.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Identified } from '../endpoint/authentication.ts'
import { identified } from '../endpoint/authentication.ts'

/** The principal of the credentials; or `undefined`, `null`, `none` or a `Left` if they are invalid. */
export type Verdict = Principal | undefined | null | Option<Principal> | Either<unknown, Principal>

/** A {@link Verdict}, or one as a promise, a `Task` or a `TaskEither`. A `Left` with an `HttpError` determines the response. */
export type Verified = Verdict | Promise<Verdict> | (() => Promise<Verdict>)

/** Creates the error for invalid credentials. The cause is only logged. */
export type Reject = (message: string, cause?: unknown) => HttpError

/** Converts the result of a `verify` function to that of an authentication filter. */
export const toAuthenticationResult = (
  verified: Verified,
  reject: Reject,
): Identified | HttpError | Promise<Identified | HttpError> => {
  const verdict = typeof verified === 'function' ? verified() : verified
  return isPromise(verdict)
    ? verdict.then((settled) => convert(settled, reject))
    : convert(verdict, reject)
}

const isPromise = (value: Verdict | Promise<Verdict>): value is Promise<Verdict> =>
  typeof value === 'object' && value !== null && 'then' in value

const convert = (verdict: Verdict, reject: Reject): Identified | HttpError => {
  if (verdict === undefined || verdict === null || isNone(verdict))
    return reject('invalid credentials')
  if (isLeft(verdict))
    return isHttpError(verdict.left) ? verdict.left : reject('invalid credentials', verdict.left)
  if (isRight(verdict)) return identified(verdict.right)
  if (isSome(verdict)) return identified(verdict.value)
  return identified(verdict)
}

type Tagged<T extends string> = Extract<Verdict, { readonly _tag: T }>

/** Compares the value of `_tag`, because a principal may have a `_tag` of its own. */
const isTagged =
  <T extends 'None' | 'Some' | 'Left' | 'Right'>(tag: T) =>
  (verdict: object): verdict is Tagged<T> =>
    '_tag' in verdict && verdict._tag === tag

const isNone = isTagged('None')
const isSome = isTagged('Some')
const isLeft = isTagged('Left')
const isRight = isTagged('Right')
