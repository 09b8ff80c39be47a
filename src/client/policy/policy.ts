/** Policies as values, and many of them as one passage. */
import * as E from 'fp-ts/lib/Either.js'
import type { Passage, Policy } from '../exchange.ts'
import { defect } from './failing.ts'

/** The priority of policies that say none. */
const usual = 5000

/** A policy. What its passage throws or rejects with becomes a `Defect`, so that no policy breaks the promise of a passage. */
export const policy = (around: Policy['around'], priority: number = usual): Policy => {
  if (Number.isNaN(priority)) throw new RangeError('a priority is a number')
  return Object.freeze({
    _tag: 'Policy',
    around: (next: Passage) => unfailing(around(next)),
    priority,
  })
}

/** Whether a program gave one: `retry` alone is none, as `retry({ times: 2 })` is. */
export const isPolicy = (one: unknown): boolean =>
  typeof one === 'object' &&
  one !== null &&
  '_tag' in one &&
  one._tag === 'Policy' &&
  'around' in one &&
  typeof one.around === 'function'

/** The passage with policies around it: the first of those with the smallest number sees the request first. */
export const through = (policies: ReadonlyArray<Policy>, passage: Passage): Passage =>
  policies.length === 0
    ? passage
    : policies
        .toSorted((one, other) => (one.priority ?? usual) - (other.priority ?? usual))
        .reduceRight((next, { around }) => around(next), passage)

const unfailing =
  (passage: Passage): Passage =>
  (request) =>
  async () => {
    try {
      return await passage(request)()
    } catch (cause) {
      return E.left(defect(request, cause))
    }
  }
