/** The building blocks of policies: creating and ordering them, and the outcomes that they inspect. */
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import { parseUrl } from '../../http/parse-url.ts'
import type { ClientError } from '../client-error.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../exchange.ts'
import { defect } from '../error-factories.ts'
import { cancel } from '../response/read-body.ts'

const defaultPriority = 5000

/**
 * Creates a policy. An exception or a rejected promise becomes a `Defect`, so a policy never makes a call reject.
 * Throws a `RangeError` if `priority` is `NaN`.
 */
export const createPolicy = (
  around: Policy['around'],
  priority: number = defaultPriority,
): Policy => {
  if (Number.isNaN(priority)) throw new RangeError('priority must be a number, got NaN')
  return Object.freeze({
    _tag: 'Policy',
    around: (next: Passage) => catchDefects(around(next)),
    priority,
  })
}

const catchDefects =
  (passage: Passage): Passage =>
  (request) =>
  async () => {
    try {
      return await passage(request)()
    } catch (cause) {
      return E.left(defect(request.operation, cause))
    }
  }

/** Whether a value is a policy. Detects a missing call: `retry({ times: 2 })` is a policy, `retry` is not. */
export const isPolicy = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  value._tag === 'Policy' &&
  'around' in value &&
  typeof value.around === 'function'

/** Wraps a passage in policies. Those with the lowest priority value are outermost; equal values keep their order. */
export const applyPolicies = (policies: ReadonlyArray<Policy>, passage: Passage): Passage =>
  policies.length === 0
    ? passage
    : policies
        .toSorted((a, b) => (a.priority ?? defaultPriority) - (b.priority ?? defaultPriority))
        .reduceRight((next, { around }) => around(next), passage)

/** The outcome of a request: a response with any status, or the error that prevented one. */
export type Outcome = Either<ClientError, ClientResponse>

/** Decides whether a policy applies to the outcome of a request. */
export type Judge = (outcome: Outcome, request: ClientRequest) => boolean

/** Wraps a predicate of the application so that the response is discarded if the predicate throws. */
export const discardOnThrow =
  (judge: Judge): Judge =>
  (outcome, request) => {
    try {
      return judge(outcome, request)
    } catch (error) {
      discardOutcome(outcome)
      throw error
    }
  }

/** Cancels the response body of an outcome, which frees the connection. */
export const discardOutcome = (outcome: Outcome): void => {
  if (E.isRight(outcome)) cancel(outcome.right.body)
}

/** Discards an outcome after its replacement is known, unless the replacement has the same response body. */
export const discardReplaced = (outcome: Outcome, replacement: Outcome): void => {
  if (outcome === replacement || E.isLeft(outcome)) return
  if (E.isRight(replacement)) {
    if (replacement.right === outcome.right) return
    // reading `body` opens a stream, so identical responses are compared first
    if (replacement.right.body === outcome.right.body) return
  }
  discardOutcome(outcome)
}

/**
 * The result of an application function that replaces a response: a response or an outcome, and `undefined` if `N` permits
 * it. It may be a plain value, a promise, a `Task` or a `TaskEither`.
 */
export type Returned<N = never> =
  | ClientResponse
  | Outcome
  | N
  | Promise<ClientResponse | Outcome | N>
  | (() => Promise<ClientResponse | Outcome | N>)

/** Resolves the result of an application function to an outcome. */
export const toOutcome = async <N extends undefined = never>(
  returned: Returned<N>,
): Promise<Outcome | N> => {
  const value = await (typeof returned === 'function' ? returned() : returned)
  return value === undefined || '_tag' in value ? value : E.right(value)
}

/** Returns the origin of an absolute URL: scheme, host and port. An invalid URL is returned unchanged. */
export const originOf = (url: string): string => parseUrl(url)?.origin ?? url
