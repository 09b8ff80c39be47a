/**
 * Contents that are read while they come. Whoever stops reading lets go of the response, also while it waits for more of it; what
 * breaks off, or is not what was declared, is an error where it is read, and never an end.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import type { CallFailed } from '../call-failed.ts'
import { callFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from '../exchange.ts'
import * as Failing from '../error-factories.ts'
import { onAbort } from '../on-abort.ts'
import type { Limit } from '../policy/limit.ts'
import { Silence } from '../response/read-timeout.ts'

/** A response, and the call that it belongs to. */
export interface Responding {
  readonly operation: OperationInfo
  readonly response: ClientResponse
  readonly signal: ClientRequest['signal']
}

/** One that is read. */
export interface Source extends Responding {
  /** Octets of what is read as a whole. */
  readonly limit: number
  /** How long what is read as a whole may be silent. */
  readonly timeout: Limit | undefined
}

/** What goes wrong while a content is read, as errors to throw. */
export interface Errors {
  /** It is not what was declared. */
  readonly unread: (failure: RequestFailure) => Error
  /** Something in it that is read as a whole has too many octets. */
  readonly tooLarge: () => Error
}

export const errorsOf = (source: Source): Errors => {
  const { operation, response, limit } = source
  return {
    unread: (failure) => errorOf(source, Failing.decodeError(operation, response, failure)),
    tooLarge: () => errorOf(source, Failing.contentTooLarge(operation, response, limit)),
  }
}

/** A failure of what is read. */
export const errorOf = (
  { operation: { name, method }, response: { url } }: Responding,
  failure: ClientError | AnyAnswer,
): CallFailed => callFailed(name, failure, { method, url })

/** The octets of a response, which can be let go of at any time. */
export interface Incoming extends AsyncIterable<Uint8Array> {
  readonly leave: () => void
}

const over: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined })

/**
 * The octets of a response, which may be silent for so long. What they break off with is thrown as a `CallFailed`, and their silence
 * as well.
 */
export const incoming = (responding: Responding, timeout?: Limit): Incoming => {
  const { operation, signal } = responding
  const { body } = responding.response
  let isLeft = false
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const leave = (reason?: unknown): void => {
    if (isLeft) return
    isLeft = true
    const left = reader === undefined ? body?.cancel(reason) : reader.cancel(reason)
    left?.catch(() => undefined)
  }
  const broken = (error: unknown): Error =>
    errorOf(responding, Failing.brokenOff(operation, error, signal))
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (isLeft || body === null) return over
    const release = onAbort(signal, () => leave(signal?.reason))
    const silence = timeout === undefined ? undefined : new Silence(timeout, () => leave())
    try {
      if (signal?.aborted === true) leave(signal.reason)
      else {
        reader ??= body.getReader()
        const { done, value } = await reader.read()
        if (!done) return { done, value }
      }
    } catch (error) {
      isLeft = true
      throw broken(error)
    } finally {
      release()
      silence?.end()
    }
    if (silence?.end() === true && timeout !== undefined)
      throw errorOf(responding, Failing.silent(operation, timeout))
    // a content that was let go of has no other end than that
    if (signal?.aborted === true) throw broken(signal.reason)
    isLeft = true
    return over
  }
  return {
    leave: () => leave(),
    [Symbol.asyncIterator]: () => ({ next, return: async () => (leave(), over) }),
  }
}

/** What is read, which goes on where it was left. */
export interface Received<A> extends AsyncIterableIterator<A> {
  readonly return: () => Promise<IteratorResult<A, undefined>>
}

/** Reads values from something that comes, as long as they are wanted. */
export const received = <A>(
  values: AsyncGenerator<A, unknown>,
  source: Pick<Incoming, 'leave'>,
): Received<A> => {
  let isOver = false
  const end = (): void => {
    isOver = true
    source.leave()
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: async () => {
      if (isOver) return over
      try {
        const { done, value } = await values.next()
        // whoever left while it waited is told of nothing more
        if (isOver) return over
        if (done !== true) return { done: false, value }
      } catch (error) {
        if (isOver) return over
        end()
        throw error
      }
      end()
      return over
    },
    return: async () => {
      if (!isOver) {
        end()
        // one that waits hears of it when its wait is over, which it is now
        values.return(undefined).catch(() => undefined)
      }
      return over
    },
  }
}
