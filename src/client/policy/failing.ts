/** What policies give instead of a response. */
import type { Aborted, Defect, Refused, TimedOut } from '../client-error.ts'
import type { ClientRequest } from '../exchange.ts'

/** It took longer than `limit`, in words. Its cause is what the platform says of what takes too long. */
export const timedOut = ({ operation }: ClientRequest, limit: string): TimedOut =>
  Object.freeze({
    _tag: 'TimedOut',
    message: `${operation.name}: no response within ${limit}`,
    operation: operation.name,
    cause: new DOMException(`it took more than ${limit}`, 'TimeoutError'),
  })

/** The caller has aborted it; the cause is the reason that was given. */
export const aborted = ({ operation, signal }: ClientRequest): Aborted =>
  Object.freeze({
    _tag: 'Aborted',
    message: `${operation.name}: the call was aborted`,
    operation: operation.name,
    cause: signal?.reason,
  })

/** A policy does not let it through, and why. */
export const refused = (
  { operation }: ClientRequest,
  {
    policy,
    why,
    retryAfter,
    cause,
  }: {
    readonly policy: string
    readonly why: string
    readonly retryAfter?: number
    readonly cause?: unknown
  },
): Refused =>
  Object.freeze({
    _tag: 'Refused',
    message: `${operation.name}: not sent, ${why}`,
    operation: operation.name,
    cause,
    policy,
    retryAfter,
  })

/** A function of the program's own threw. */
export const defect = ({ operation }: ClientRequest, cause: unknown): Defect =>
  Object.freeze({
    _tag: 'Defect',
    message: `${operation.name}: a policy or filter of the client threw: ${String(cause)}`,
    operation: operation.name,
    cause,
  })
