/**
 * The interfaces between the interpreter and a runtime: exchanges, which are one request and its response, their bodies as chunks,
 * and the platform, which gives access to files, compression and multipart parsing.
 *
 * Each runtime (`node:http`, the in-memory server, a worker) implements {@link Exchange}. A runtime passes on only requests whose
 * framing, target and `Host` header are valid. A chunk of a body is requested only after the previous chunk has been processed, so a
 * slow receiver slows down the source (back-pressure).
 */
import type { ClientCertificate } from '../endpoint/context.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { Headers, RequestHeaders } from '../http/headers.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import type { MemoryReservation } from './memory-reservation.ts'
import type { OpenHandle } from '../endpoint/file.ts'
import type { PartLimits, RawPart } from '../body/multipart/read-parts.ts'
import { ServiceUnavailable } from '../endpoint/http-error.ts'
import type { TurnBudget } from './event-loop.ts'
import type { ContentCoding } from '../http/quality.ts'
import { codeOf } from '../http/platform-value.ts'

/** One request and its response. */
export interface Exchange {
  readonly method: string
  /** The path as received, starting with `/`. Percent-escapes are well-formed and are not decoded. */
  readonly path: string
  /** The query as received, without the leading `?`. */
  readonly query: string | undefined
  readonly headers: RequestHeaders
  /** Returns the scheme and authority that the client used to reach the server, for example, `http://example.com:8080`. */
  readonly origin: () => string
  /**
   * Returns the path prefix removed by a reverse proxy, for example, `/a/b`. Returns an empty string if no prefix was removed.
   */
  readonly prefix: () => string
  /** The version of HTTP: `1.0`, `1.1` or `2`. `undefined` if it is unknown. */
  readonly httpVersion?: string
  /** The path below which the route tree is mounted in another server. `undefined` if it is not mounted. */
  readonly mountPath?: string
  /**
   * Reads the entire body. Only one of `readBody` and `streamBody` may be called for a request, and only once.
   *
   * Calls `then` with the bytes of the body, or with an empty array if the request has no body. If the body exceeds `limit` or
   * the client is too slow, `then` is called with a failure. If the client disconnects, `then` is not called.
   */
  readonly readBody: (limit: SizeLimit, then: (body: Uint8Array | RequestFailure) => void) => void
  /**
   * Returns the body as a stream, or a failure. Only one of `readBody` and `streamBody` may be called for a request, and only
   * once.
   *
   * If the request has `Expect: 100-continue`, a 100 response is sent when the first chunk is requested. The stream rejects with
   * an `HttpError` if the body exceeds `limit`, or if the runtime rejects the request while the stream is being read. After a
   * disconnect, the stream rejects with an error that `isDisconnect` recognizes. The `return` method of the stream discards the
   * rest of the body but keeps the connection open.
   */
  readonly streamBody: (limit: SizeLimit) => BodyStream | RequestFailure
  /**
   * Returns a signal that aborts if the client disconnects or half-closes the connection before the response has been sent. After
   * a half-close, the client can still receive a response. The signal is created on the first call.
   */
  readonly signal: () => AbortSignal
  /** Returns the client's address, or `undefined` if the exchange has no network connection. */
  readonly clientAddress: () => string | undefined
  /** The value that the application passed with the request, for runtimes that are called with one. */
  readonly runtimeValue?: unknown
  /**
   * Returns the verified certificate that the client presented during the TLS handshake, or `undefined`. Runtimes that do not
   * support client certificates omit this method.
   */
  readonly clientCertificate?: () => ClientCertificate | undefined
  readonly platform: Platform
  /** Tracks the memory used by the request body and the response body. `undefined` if the server does not limit body memory. */
  readonly reservation?: MemoryReservation | undefined
  /**
   * Returns whether the server has enough free memory for the body of an encoded response. If this method is omitted, memory
   * use is not limited.
   */
  readonly hasRoomFor?: (response: EncodedResponse) => boolean
  /**
   * Registers a callback that is called when the response has been sent or the client has disconnected. If the exchange has
   * already ended, the callback is called immediately.
   */
  readonly onEnd: (then: () => void) => void
  /**
   * Registers a callback that is called when response streams must end: at the end of the exchange, or when the client
   * half-closes the connection. Runtimes that do not support half-closed connections omit this method.
   */
  readonly onStreamEnd?: (then: () => void) => void
  /** Sends the response. Must be called only once. Unread bytes of the request body are discarded. */
  readonly send: (response: EncodedResponse) => void
}

/** A response that is ready to be sent. The exchange adds the `Date`, `Content-Length` and `Connection` headers. */
export interface EncodedResponse {
  readonly status: number
  readonly headers: Headers
  /** The body. In a response to HEAD, the exchange uses only the length of the body and does not send the body. */
  readonly body: string | Uint8Array | ChunkSource | undefined
  /**
   * The headers and the size of the 200 response that is replaced by a response with status 304 or 412. `undefined` if they are
   * unknown, because the handler has not run.
   */
  readonly replaced?: { readonly headers: Headers; readonly size: number }
}

/** Registers a callback with `exchange.onStreamEnd`, or with `exchange.onEnd` if the exchange has no such method. */
export const onStreamEnd = (
  exchange: Pick<Exchange, 'onEnd' | 'onStreamEnd'>,
  then: () => void,
): void => {
  if (exchange.onStreamEnd === undefined) exchange.onEnd(then)
  else exchange.onStreamEnd(then)
}

/** Whether the result of reading a body is a failure. */
export const isFailure = (body: Uint8Array | BodyStream | RequestFailure): body is RequestFailure =>
  '_tag' in body

/** Returns the URL of the server, as seen by the client: the origin and the path prefix, without a trailing slash. */
export const serverUrl = (exchange: Pick<Exchange, 'origin' | 'prefix'>): string =>
  exchange.origin() + exchange.prefix()

/**
 * Counts a buffered response body against the body memory limit until the response has been sent. Called before a step that takes
 * time, such as computing a digest of the body. Bodies that are sent in chunks are not counted.
 */
export const keepUntilSent = (
  { body }: Pick<EncodedResponse, 'body'>,
  { reservation }: Pick<Exchange, 'reservation'>,
): void => {
  if (body !== undefined && !isChunkSource(body)) reservation?.keep(body.length)
}

/** A request body as a stream of chunks. */
export interface BodyStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Releases a chunk that is no longer needed, so that its memory can be reused. Must not be called for a chunk that a handler
   * has received.
   */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/**
 * Returns a function that releases chunks of a stream, or `undefined` if the stream does not reuse chunks. Unlike `stream.free`, the
 * returned function can be called without a `this` value.
 */
export const chunkReleaser = (stream: Pick<BodyStream, 'free'>): BodyStream['free'] =>
  stream.free === undefined ? undefined : (chunk) => stream.free?.(chunk)

/** A response body that is sent in chunks: a stream or a file. */
export interface ChunkSource {
  /** The length in bytes, or `undefined` if it is unknown. A known length must be the exact total length of the chunks. */
  readonly length: number | undefined
  /**
   * Whether the body is a file rather than a stream.
   *
   * If the client half-closes the connection (stops sending), a file is still sent completely, because all its bytes already
   * exist. A stream ends as soon as it waits for its source.
   */
  readonly isFile?: boolean | undefined
  /**
   * Returns the next chunk. Must not be called again until the promise has settled. If the promise is rejected, the connection is
   * reset, because the head has already been sent.
   */
  readonly next: () => Promise<IteratorResult<string | Uint8Array, unknown>>
  /**
   * Releases the source. Called when the body has ended, when the client disconnects, or when the body is not sent, as in a
   * response to HEAD. Never throws.
   */
  readonly close: () => void
  /** Releases a chunk that has been sent, so that its memory can be reused. */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/** Whether a body is sent in chunks. This applies to streams and files. */
export const isChunkSource = (
  body: string | Uint8Array | ChunkSource | undefined,
): body is ChunkSource => typeof body === 'object' && 'next' in body

/** Whether a body is a stream. A file is not a stream. */
export const isStreamed = (
  body: string | Uint8Array | ChunkSource | undefined,
): body is ChunkSource => isChunkSource(body) && body.isFile !== true

/**
 * Wraps a source so that `onError` is called if reading a chunk fails. If the total length differs from the declared length,
 * reading fails with a `RangeError`.
 */
export const observeChunks = (
  chunks: ChunkSource,
  onError: (error: unknown) => void,
): ChunkSource => {
  const { length } = chunks
  let bytes = 0
  const next = async (): ReturnType<ChunkSource['next']> => {
    try {
      const result = await chunks.next()
      if (length === undefined) return result
      if (result.done !== true) bytes += lengthOf(result.value)
      if (bytes > length || (result.done === true && bytes < length))
        throw new RangeError(`expected a body of ${length} bytes, got ${bytes}`)
      return result
    } catch (error) {
      onError(error)
      throw error
    }
  }
  return wrapChunks(chunks, { next })
}

/** Returns a source that differs from another one only in some of its members. */
export const wrapChunks = (chunks: ChunkSource, changes: Partial<ChunkSource>): ChunkSource => ({
  length: chunks.length,
  isFile: chunks.isFile,
  next: () => chunks.next(),
  close: () => chunks.close(),
  free: chunkReleaser(chunks),
  ...changes,
})

const encoder = new TextEncoder()

/** Returns the size of a chunk in bytes. */
export const lengthOf = (chunk: string | Uint8Array): number =>
  typeof chunk === 'string' ? encoder.encode(chunk).length : chunk.length

/** The file operations provided by a runtime. */
export interface FileSystem {
  /**
   * Whether the runtime has no files, so that uploaded files are held in memory and all other operations reject. Default: `false`.
   */
  readonly isMissing?: boolean
  /** Opens a file for reading. */
  readonly open: (path: string) => Promise<OpenFile>
  /** Takes ownership of a file handle opened by the application, and returns the file for reading. */
  readonly adopt: (handle: OpenHandle) => Promise<OpenFile>
  /** Creates a file in which a request body is stored. The file name is unpredictable. */
  readonly create: () => Promise<NewFile>
  /**
   * Creates a temporary file. The caller must delete the file at the end of the request. If the process crashes, the next process
   * deletes the file.
   */
  readonly createTemporary: () => Promise<NewFile>
  /** Moves a file. An existing file at `to` is replaced. */
  readonly move: (from: string, to: string) => Promise<void>
  /** Writes a file. An existing file at `path` is replaced. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
  /** Deletes a file. Succeeds even if the file does not exist. */
  readonly delete: (path: string) => Promise<void>
}

/** A file that is open for reading. `size` and `modified` describe the file at the time it was opened. */
export interface OpenFile {
  /** The file size in bytes. */
  readonly size: number
  /** The modification time in milliseconds since the Unix epoch. The value can have a fractional part. */
  readonly modified: number
  /** Reads up to `length` bytes, starting at `position`. Returns an empty array at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>
  readonly close: () => Promise<void>
  /** Releases bytes that are no longer needed, so that their memory can be reused. */
  readonly free?: ((bytes: Uint8Array) => void) | undefined
}

/** A file that is open for writing. */
export interface NewFile {
  readonly path: string
  /** Appends bytes. The bytes must not be modified until the promise resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Closes the file. Afterwards, the file can be opened for reading. */
  readonly close: () => Promise<void>
  /** Deletes the file, whether it is open or closed. Succeeds even if the file does not exist. */
  readonly delete: () => Promise<void>
}

/** Converts an `EMFILE` or `ENFILE` error to a 503 error with a `Retry-After` header. Returns any other error unchanged. */
export const mapOpenError = (error: unknown): unknown => {
  const code = codeOf(error)
  return code === 'EMFILE' || code === 'ENFILE'
    ? new ServiceUnavailable('too many open files', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : error
}

/** The objects and functions that a runtime provides to the interpreter. */
export interface Platform {
  readonly files: FileSystem
  /** The decompressors, keyed by content coding in lower case. */
  readonly decompressors: ReadonlyMap<string, Decompressor>
  readonly compressors: Compressors
  readonly splitParts: SplitParts
  /** Limits the total time that response streams may use in each event-loop turn. */
  readonly turnBudget: TurnBudget
}

/** Decompresses a body that has a single content coding. Reading the result fails if the body is malformed. */
export type Decompressor = (compressed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/**
 * Splits a multipart body into parts. Rejects with an `HttpError` if the body is malformed. Errors from `chunks` are propagated.
 *
 * If iteration ends early, the rest of the body is discarded. If `free` is given, it is called with each chunk after the chunk has
 * been consumed. The caller must then read the bytes of a part before it requests the next chunk.
 */
export type SplitParts = (
  chunks: BodyStream,
  boundary: string,
  limits: PartLimits,
  free?: BodyStream['free'],
) => AsyncGenerator<RawPart, undefined>

/** The compressor for each supported content coding. */
export type Compressors = ReadonlyMap<ContentCoding, Compressor>

/** Compresses bodies with one content coding. */
export interface Compressor {
  /**
   * Compresses a complete body. A small body is compressed synchronously. A larger body is compressed without blocking the event
   * loop.
   */
  readonly compress: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
  /** Starts the compression of a body that is sent in chunks. Omitted if the runtime cannot flush compressed data. */
  readonly start?: () => Compression
}

/** Compresses one body in chunks. If `write` or `end` rejects, the body cannot be compressed any further. */
export interface Compression {
  /**
   * Compresses a chunk and flushes the compressor. The client can therefore decompress the chunk as soon as it arrives. This
   * method must not be called again until the returned promise has settled.
   */
  readonly write: (chunk: string | Uint8Array) => Promise<Uint8Array>
  /** Ends the compression and returns the remaining bytes. */
  readonly end: () => Promise<Uint8Array>
  /** Releases the compressor. May be called before or after `end`. Never throws. */
  readonly close: () => void
}

/** An empty map, for runtimes that do not support compression. */
export const noCompressors: Compressors = new Map()
