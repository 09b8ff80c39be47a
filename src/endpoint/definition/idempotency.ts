/** The attribute that `idempotent` sets, and the operations that it applies to. */

import { idempotentMethods, safeMethods } from '../../http/method.ts'

/** How the repetitions of a request are recognized. Durations are in milliseconds. */
export interface Idempotency {
  /** Whether requests without a key are rejected. */
  readonly isRequired: boolean
  /** Whether only keys in the form of structured fields are accepted. */
  readonly isStrict: boolean
  /** The time after which the key of a process that has ended is free. */
  readonly lease: number
  /** The time for which responses are stored. */
  readonly retention: number
  /** Maximum size of a stored response, in bytes. */
  readonly maxResponseSize: number
}

/**
 * Returns how an operation recognizes repetitions. `undefined` if it does not. PUT and DELETE are idempotent without a key, so it is never
 * required.
 */
export const idempotencyOf = (
  method: string | undefined,
  declared: Idempotency | false | undefined,
): Idempotency | undefined => {
  if (declared === undefined || declared === false) return undefined
  if (method === undefined || safeMethods.includes(method)) return undefined
  return idempotentMethods.includes(method) ? { ...declared, isRequired: false } : declared
}

/** Whether clients send a key with each request for an operation. */
export const isKeyed = (
  method: string | undefined,
  declared: Idempotency | false | undefined,
): boolean =>
  idempotencyOf(method, declared) !== undefined && !idempotentMethods.includes(method ?? '')
