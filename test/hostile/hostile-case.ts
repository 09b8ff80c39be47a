/** A request that is expensive to handle and stays within the default limits. */

/** A request to write to a connection. */
export interface HostileRequest {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<string>
  /** `undefined` for a request without a body. */
  readonly body?: Uint8Array | undefined
  /** The size of the chunks in which the body is sent. Default: a body with `Content-Length`. */
  readonly chunkSize?: number
}

export interface HostileCase {
  /** Unique among all cases. */
  readonly name: string
  /** Cases of a family share a row in the report of the bench. */
  readonly family: string
  /** The expected status class, such as 2 for 2xx, where 4 excludes 413. A case whose size is rejected expects 413. */
  readonly expected: 2 | 3 | 4 | 413
  /** Creates the request when it is sent, because all bodies together are large. */
  readonly request: () => HostileRequest
}

/** The default of `fw.http.limits.max-parsed-body-size`. */
export const parsedBodySize = 512 * 1024

/** The default of `fw.http.limits.max-xml-size`. */
export const xmlSize = 256 * 1024

/** The number of bytes that a single header value may have within the default limits. */
export const headerSize = 15 * 1024

/** The number of bytes that a request target may have within the default limits. */
export const targetSize = 8000

/** Repeats an ASCII fragment up to `size` bytes. */
export const fill = (fragment: string, size: number): string =>
  fragment.repeat(Math.floor(size / fragment.length))

/** Encloses repeated fragments, separated by commas, in brackets: at most `size` bytes. */
export const filled = (
  open: string,
  fragment: string,
  close: string,
  size = parsedBodySize,
): string => {
  const room = size - open.length - close.length + 1
  return open + fill(`${fragment},`, room).slice(0, -1) + close
}

/** A POST request with a body of a media type. */
export const posted = (
  target: string,
  mediaType: string,
  body: string | Uint8Array,
  headers: ReadonlyArray<string> = [],
): HostileRequest => ({
  method: 'POST',
  target,
  headers: [`Content-Type: ${mediaType}`, ...headers],
  body: typeof body === 'string' ? Buffer.from(body) : body,
})

/** A GET request. */
export const got = (target: string, ...headers: ReadonlyArray<string>): HostileRequest => ({
  method: 'GET',
  target,
  headers,
})
