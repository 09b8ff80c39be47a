/** What promises of a client reject with. */
import * as Status from '../http/status.ts'
import type { AnyAnswer } from './answer.ts'
import type { ClientError } from './client-error.ts'

/** A call that failed: `failure` is what stands on the left of its `TaskEither`. */
export class CallFailed<F = ClientError | AnyAnswer> extends Error {
  override readonly name = 'CallFailed'
  readonly failure: F
  constructor(failure: F, message: string, cause: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

/** The error of a failure of an operation. */
export const callFailed = (operation: string, failure: ClientError | AnyAnswer): CallFailed => {
  if ('_tag' in failure) return new CallFailed(failure, failure.message, failure.cause)
  const { status } = failure
  return new CallFailed(
    failure,
    `${operation}: answered ${status} ${Status.title(status)}`,
    undefined,
  )
}
