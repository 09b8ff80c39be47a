/**
 * Reads response bodies incrementally.
 *
 * Ending an iteration closes the response, even while a chunk is pending. If the connection fails or the body is
 * invalid, the iteration throws an error instead of ending silently.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { CallFailed } from '../call-failed.ts'
import { createCallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { decodeError, readTimeout, responseTooLarge, transportError } from '../error-factories.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from '../exchange.ts'
import { onAbort } from '../timer.ts'
import type { TimeLimit } from '../timer.ts'
import { idleTooLong, readInTime } from '../receive-body.ts'

/** A response, together with the operation that was called and the abort signal of the call. */
export interface ReceivedResponse {
  readonly operation: OperationInfo
  readonly response: ClientResponse
  readonly signal: ClientRequest['signal']
}

/** A response to read, with limits for the elements of its body. Each element, such as an event, is read as a whole. */
export interface ResponseToRead extends ReceivedResponse {
  /** Maximum size, in bytes, of an element of the body. */
  readonly limit: number
  /** Maximum time to wait for the next chunk of a multipart record. `undefined` disables the limit. */
  readonly timeout: TimeLimit | undefined
}

/** Creates the errors thrown while a body is being read. */
export interface ReadErrors {
  /** Creates the error for a body that does not match the declared representation. */
  readonly invalid: (failure: RequestFailure) => Error
  /** Creates the error for an element that exceeds the size limit. */
  readonly tooLarge: () => Error
}

/** Returns functions that create the errors for `source`. Each error is a `CallFailed`. */
export const createReadErrors = (source: ResponseToRead): ReadErrors => {
  const { operation, response, limit } = source
  return {
    invalid: (failure) => toCallFailed(source, decodeError(operation, response, failure)),
    tooLarge: () => toCallFailed(source, responseTooLarge(operation, response, limit)),
  }
}

/** Creates the `CallFailed` error for a failure that occurs while a body is being read. */
export const toCallFailed = (
  { operation: { name, method }, response: { url } }: ReceivedResponse,
  failure: ClientError | AnyDecodedResponse,
): CallFailed => createCallFailed(name, failure, { method, url })

/** Iterates over the chunks of a response body. */
export interface ChunkReader extends AsyncIterable<Uint8Array> {
  /** Cancels the body and ends the iteration, even while a read is pending. */
  readonly close: () => void
}

const done: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined })

/** Creates a reader for a response body. Reading throws a `CallFailed` if the body fails or pauses for longer than `timeout`. */
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
    toCallFailed(received, transportError(operation, error, signal))
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (isClosed || body === null) return done
    const release = onAbort(signal, () => close(signal?.reason))
    try {
      if (signal?.aborted === true) close(signal.reason)
      else {
        const opened = (reader ??= body.getReader())
        const result = await readInTime({ read: () => opened.read(), cancel: close }, timeout)
        if (!result.done) return result
      }
    } catch (error) {
      isClosed = true
      throw error === idleTooLong && timeout !== undefined
        ? toCallFailed(received, readTimeout(operation, timeout.text))
        : toError(error)
    } finally {
      release()
    }
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

/** Iterates over the values in a response body. A new iteration continues where the previous iteration ended. */
export interface ResponseIterator<A> extends AsyncIterableIterator<A> {
  readonly return: () => Promise<IteratorResult<A, undefined>>
}

/**
 * Returns an iterator whose `return` method takes effect even while `next` is pending. Closes `source` when the iteration
 * ends.
 */
export const responseIterator = <A>(
  iterable: AsyncIterable<A>,
  source: Pick<ChunkReader, 'close'>,
): ResponseIterator<A> => {
  const values = iterable[Symbol.asyncIterator]()
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
        // the iterator was closed while this read was pending
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
        // this call waits for a pending `next`, which ends because the source is closed
        values.return?.(undefined).catch(() => undefined)
      }
      return done
    },
  }
}
