/** What promises of a client reject with. */
import * as Status from '../http/status.ts'
import type { AnyAnswer } from './decoded-response.ts'
import type { ClientError } from './client-error.ts'
import type { Asked } from './asked.ts'
import { askedFor } from './asked.ts'
import { createMasker } from './mask-secrets.ts'

/**
 * A call that failed: `failure` is what stands on the left of its `TaskEither`, and `cause` what led to it, where that is known. The
 * message names the operation and what went wrong, with the method and the URL, in which the values of parameters that speak of
 * secrets are masked. As JSON it has neither header fields nor contents.
 */
export class CallFailed<F = ClientError | AnyAnswer> extends Error {
  override readonly name = 'CallFailed'
  readonly failure: F
  constructor(failure: F, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = failure
  }

  toJSON(): object {
    return { name: this.name, message: this.message, failure: toldOf(this.failure) }
  }
}

/** Members of failures that say what went wrong: JSON can say them, and nobody keeps secrets there. */
const told: ReadonlySet<string> = new Set([
  '_tag',
  'operation',
  'status',
  'faults',
  'problem',
  'limit',
  'policy',
  'retryAfter',
])

const toldOf = (failure: unknown): object | undefined =>
  typeof failure === 'object' && failure !== null
    ? Object.fromEntries(Object.entries(failure).filter(([name]) => told.has(name)))
    : undefined

/** The error of a failure of an operation; where it is not said what was asked for, as the client remembers it. */
export const callFailed = (
  operation: string,
  failure: ClientError | AnyAnswer,
  asked: Asked | undefined = askedFor(failure),
): CallFailed => {
  const where = asked === undefined ? '' : ` (${asked.method} ${shown.url(asked.url)})`
  if ('_tag' in failure) return new CallFailed(failure, `${failure.message}${where}`, failure.cause)
  const { status } = failure
  return new CallFailed(failure, `${operation}: answered ${status} ${Status.title(status)}${where}`)
}

const shown = createMasker([])
