/**
 * Reads response bodies incrementally.
 *
 * Ending an iteration closes the response, even while a chunk is pending. A failed connection or an invalid body makes the iteration
 * throw; it never ends the iteration silently.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { CallFailed } from '../call-failed.ts'
import { callFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import * as Errors from '../error-factories.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from '../exchange.ts'
import { onAbort } from '../on-abort.ts'
import type { TimeLimit } from '../policy/timer.ts'
import { ReadTimeout } from '../response/read-timeout.ts'

/** A response and the call to which it belongs. */
export interface ReceivedResponse {
  readonly operation: OperationInfo
  readonly response: ClientResponse
  readonly signal: ClientRequest['signal']
}

/** A response whose body is read, with the limits of elements that are read as a whole. */
export interface ResponseToRead extends ReceivedResponse {
  /** Maximum size of an element in bytes. */
  readonly limit: number
  /** Maximum pause while an element is read. */
  readonly timeout: TimeLimit | undefined
}

/** Creates the errors that reading a body throws. */
export interface ReadErrors {
  /** The body does not match the declared representation. */
  readonly invalid: (failure: RequestFailure) => Error
  /** An element exceeds the size limit. */
  readonly tooLarge: () => Error
}

export const createReadErrors = (source: ResponseToRead): ReadErrors => {
  const { operation, response, limit } = source
  return {
    invalid: (failure) => toCallFailed(source, Errors.decodeError(operation, response, failure)),
    tooLarge: () => toCallFailed(source, Errors.contentTooLarge(operation, response, limit)),
  }
}

export const toCallFailed = (
  { operation: { name, method }, response: { url } }: ReceivedResponse,
  failure: ClientError | AnyAnswer,
): CallFailed => callFailed(name, failure, { method, url })

/** The chunks of a response body. */
export interface ChunkReader extends AsyncIterable<Uint8Array> {
  /** Cancels the body. A pending read ends the iteration. */
  readonly close: () => void
}

const done: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined })

/** Reads the chunks of a response body. Throws a `CallFailed` if the body fails or pauses for longer than `timeout`. */
export const readChunks = (received: ReceivedResponse, timeout?: TimeLimit): ChunkReader => {
  const { operation, signal } = received
  const { body } = received.response
  let isClosed = false
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const close = (reason?: unknown): void => {
    if (isClosed) return
    isClosed = true
    const cancelled = reader === undefined ? body?.cancel(reason) : reader.cancel(reason)
    cancelled?.catch(() => undefined)
  }
  const toError = (error: unknown): Error =>
    toCallFailed(received, Errors.transportError(operation, error, signal))
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (isClosed || body === null) return done
    const release = onAbort(signal, () => close(signal?.reason))
    const readTimeout = timeout === undefined ? undefined : new ReadTimeout(timeout, () => close())
    try {
      if (signal?.aborted === true) close(signal.reason)
      else {
        reader ??= body.getReader()
        const result = await reader.read()
        if (!result.done) return result
      }
    } catch (error) {
      isClosed = true
      throw toError(error)
    } finally {
      release()
      readTimeout?.stop()
    }
    if (readTimeout?.stop() === true && timeout !== undefined)
      throw toCallFailed(received, Errors.readTimeout(operation, timeout.text))
    // a cancelled body ends without an error
    if (signal?.aborted === true) throw toError(signal.reason)
    isClosed = true
    return done
  }
  return {
    close: () => close(),
    [Symbol.asyncIterator]: () => ({ next, return: async () => (close(), done) }),
  }
}

/** The values of a response body. An iteration continues where the previous one ended. */
export interface ResponseIterator<A> extends AsyncIterableIterator<A> {
  readonly return: () => Promise<IteratorResult<A, undefined>>
}

/** Wraps a generator so that `return` takes effect while `next` is pending, and closes `source` at the end. */
export const responseIterator = <A>(
  values: AsyncGenerator<A, unknown>,
  source: Pick<ChunkReader, 'close'>,
): ResponseIterator<A> => {
  let isClosed = false
  const close = (): void => {
    isClosed = true
    source.close()
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: async () => {
      if (isClosed) return done
      try {
        const result = await values.next()
        // closed while this read was pending
        if (isClosed) return done
        if (result.done !== true) return { done: false, value: result.value }
      } catch (error) {
        if (isClosed) return done
        close()
        throw error
      }
      close()
      return done
    },
    return: async () => {
      if (!isClosed) {
        close()
        // queued after a pending `next`, which ends because the source is closed
        values.return(undefined).catch(() => undefined)
      }
      return done
    },
  }
}
