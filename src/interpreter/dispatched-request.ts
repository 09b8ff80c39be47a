/** The messages that the event loop and a worker exchange for a request, and the temporary files that store request bodies. */
import { ByteCollector } from '../http/byte-collector.ts'
import type { ClientCertificate } from '../endpoint/context.ts'
import type { Exchange, EncodedResponse, FileSystem } from './exchange.ts'
import { mapOpenError } from './exchange.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { AuthenticatedPrincipal, ProvidedValues } from './request-info.ts'

/** A request body in a temporary file. The file is deleted at the end of the request. */
export interface SpooledBody {
  readonly _tag: 'Spooled'
  readonly path: string
}

/** Maximum size of a body that is kept in memory, in bytes. */
const spoolThreshold = 64 * 1024

/** Maximum number of bytes per read from a spooled body. */
const readSize = 64 * 1024

/**
 * Reads an entire body into memory, or into a temporary file if the body is large or body memory is exhausted. Errors from
 * `chunks` and the file system are propagated.
 */
export const spoolBody = async (
  chunks: AsyncIterable<Uint8Array>,
  exchange: Pick<Exchange, 'platform' | 'onEnd' | 'reservation'>,
): Promise<Uint8Array | SpooledBody> => {
  const { reservation } = exchange
  const buffered = new ByteCollector()
  let file: Awaited<ReturnType<FileSystem['createTemporary']>> | undefined
  for await (const chunk of chunks) {
    if (file !== undefined) {
      await file.write(chunk)
      continue
    }
    buffered.add(chunk)
    const hasRoom = reservation?.receive(chunk.length) ?? true
    if (hasRoom && buffered.length <= spoolThreshold) continue
    const created = await exchange.platform.files.createTemporary()
    file = created
    exchange.onEnd(() => void created.delete().catch(() => undefined))
    const held = buffered.take()
    await created.write(held)
    reservation?.discard(held.length)
  }
  reservation?.settle()
  if (file === undefined) return buffered.take()
  await file.close()
  return { _tag: 'Spooled', path: file.path }
}

/** Yields the chunks of a spooled body. The file stays open while the body is being read. */
export async function* readSpooledBody(
  { path }: SpooledBody,
  files: Pick<FileSystem, 'open'>,
): AsyncGenerator<Uint8Array, undefined> {
  const file = await files.open(path).catch((error: unknown) => {
    throw mapOpenError(error)
  })
  try {
    for (let position = 0; position < file.size;) {
      const bytes = await file.read(position, Math.min(readSize, file.size - position))
      if (bytes.length === 0) throw new RangeError('the buffered body is truncated')
      position += bytes.length
      yield bytes
    }
  } finally {
    await file.close()
  }
}

/** The data of a request that is dispatched to a worker after step 5 of the pipeline. */
export interface DispatchedRequest {
  /** The name of the selected operation. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly headers: Headers
  readonly origin: string
  readonly prefix: string
  readonly clientAddress: string | undefined
  readonly clientCertificate: ClientCertificate | undefined
  /**
   * The body, or the failure that occurred while the body was being read. A failure is also dispatched, because the operation might
   * reject the request for another reason before it reads the body.
   */
  readonly body: Uint8Array | SpooledBody | RequestFailure
  readonly id: string
  /**
   * The timeout declared by the operation, in milliseconds. `0` disables the timeout. `undefined` if the operation does not
   * declare a timeout.
   */
  readonly timeout: number | undefined
  /** The arrival of the request, in milliseconds on the receiver's clock. */
  readonly startTime: number
  readonly provided: ProvidedValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** Headers added with `context.response.addHeader`. They are sent with error responses as well as with successful responses. */
  readonly addedHeaders: Headers
}

/** The result of a dispatched request: an encoded response or an error. */
export type DispatchResult =
  | {
      readonly _tag: 'Responded'
      readonly response: EncodedResponse
      /** Called at the end of the request. `undefined` if the worker does not wait for the end of the request. */
      readonly onEnd: (() => void) | undefined
    }
  | { readonly _tag: 'Failed'; readonly error: unknown }

/**
 * Sends a request to a worker. `then` is called at most once, and never after the end of the exchange. If the client half-closes
 * the connection, the signal of the exchange aborts before the exchange ends. Throws an error if the request cannot be dispatched.
 */
export type Dispatch = (
  dispatched: DispatchedRequest,
  exchange: Pick<Exchange, 'signal' | 'onEnd'>,
  then: (result: DispatchResult) => void,
) => void
