/**
 * Implements the transport that uses `fetch`, and the features shared by all transports: abort signals, streamed
 * request bodies and error handling.
 */
import type { OpenStream } from '../request/plain-body.ts'
import * as E from 'fp-ts/lib/Either.js'
import { transportError, bodySourceError } from '../error-factories.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import * as Grammar from '../../http/grammar.ts'
import type { Headers } from '../../http/headers.ts'
import * as HeaderList from '../../http/headers.ts'
import { isBlob } from '../../http/platform-value.ts'

/** Source of a streamed request body. The first read opens the source. */
export class BodySource implements AsyncIterableIterator<Uint8Array> {
  failure: { readonly error: unknown } | undefined = undefined
  readonly #open: OpenStream
  #iterator: AsyncIterator<Uint8Array> | undefined = undefined
  #isClosed = false

  constructor(open: OpenStream) {
    this.#open = open
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Returns a stream that reads the source on demand. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const next = await this.next()
          if (next.done === true) controller.close()
          else controller.enqueue(next.value)
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    )
  }

  /** Reads the next chunk. Throws an error after `close`, because an incomplete body must not be sent as if it were complete. */
  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#isClosed) throw new Error('the request body is closed')
    try {
      this.#iterator ??= this.#open()[Symbol.asyncIterator]()
      return await this.#iterator.next()
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.close()
    return { done: true, value: undefined }
  }

  /** Closes the source. Later reads fail. */
  close(): void {
    this.#isClosed = true
    const closing = this.#iterator?.return?.()
    closing?.then(undefined, () => undefined)
    this.#iterator = undefined
  }
}

/** Functions implemented by each transport. `R` is the response type of the transport. */
export interface TransportAdapter<R> {
  /** Sends a request. If the request body is streamed, `source` is its source. */
  readonly send: (request: ClientRequest, source: BodySource | undefined) => Promise<R>
  readonly toResponse: (response: R, request: ClientRequest) => ClientResponse
  /** Discards a response whose body will not be read. */
  readonly discard: (response: R) => void
}

/**
 * Creates a transport. For each request, the transport returns a task that sends the request when it runs. The
 * transport never throws an exception, and the task never rejects.
 */
export const createTransport =
  <R>({ send, toResponse, discard }: TransportAdapter<R>): Passage =>
  (request) =>
  async () => {
    const { operation, body, signal } = request
    if (signal?.aborted === true) return E.left(transportError(operation, undefined, signal))
    const source = body?._tag === 'Streamed' ? new BodySource(body.open) : undefined
    try {
      const response = await send(request, source)
      if (source?.failure === undefined) return E.right(toResponse(response, request))
      discard(response)
      // a response to an incomplete request body is not valid for the call
      return E.left(bodySourceError(operation, source.failure.error))
    } catch (error) {
      source?.close()
      const failure = transportError(operation, error, signal)
      return E.left(
        source?.failure !== undefined && failure._tag !== 'Aborted'
          ? bodySourceError(operation, source.failure.error)
          : failure,
      )
    }
  }

/**
 * Signature of the global `fetch` function. The function returned by `inMemory(…)` from `espalier/testing` has the same
 * signature.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Creates a transport that uses the given `fetch` function. The default is the global `fetch`, which is looked up for
 * each request. Redirects are not followed.
 */
export const fetchTransport = (fetch: Fetch | undefined): Passage =>
  createTransport<Response>({
    send: (request, source) => (fetch ?? globalThis.fetch)(request.url, initOf(request, source)),
    toResponse: (response, { url }) => toResponse(response, url),
    discard: ({ body }) => void body?.cancel().catch(() => undefined),
  })

const initOf = (
  { method, headers, body, signal, mayRedirect = true }: ClientRequest,
  source: BodySource | undefined,
): RequestInit => {
  const init: RequestInit = {
    method,
    headers: toHeadersInit(headers),
    redirect: 'manual',
    signal: signal ?? null,
  }
  if (body === undefined) return init
  const bodyOptions = mayRedirect ? {} : unbuffered
  switch (body._tag) {
    case 'Buffered':
      if (isBlob(body.data)) return { ...init, body: body.data, ...bodyOptions }
      init.body = body.data
      return init
    case 'Form':
      return { ...init, body: body.form, ...bodyOptions }
    case 'Streamed':
      return { ...init, body: source?.stream() ?? null, duplex: 'half', ...bodyOptions }
  }
}

/**
 * Options that prevent `fetch` from buffering a large body.
 *
 * `fetch` keeps a copy of a body that it might need to send again, either after a redirect or with credentials. With
 * these options, `fetch` never sends a body again, and therefore needs no copy.
 *
 * @see https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
const unbuffered: RequestInit = { redirect: 'error', window: null }

/**
 * Converts headers to an object, because `fetch` takes twice as long to process an array of pairs. Returns an array of
 * pairs if a name occurs more than once or is a property of `Object.prototype`.
 */
const toHeadersInit = (headers: Headers): Record<string, string> | Array<[string, string]> => {
  const values: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? ''
    if (name in values) return HeaderList.toPairs(headers)
    values[name] = headers[i + 1] ?? ''
  }
  return values
}

/**
 * Converts a `fetch` response. A response created with `new Response()` has no URL, so the URL of the request is used
 * instead.
 */
const toResponse = (
  { status, headers, url, body }: Response,
  requestUrl: string,
): ClientResponse => {
  const pairs: string[] = []
  headers.forEach((value, name) => pairs.push(name, value))
  const response = { status, headers: pairs, url: url === '' ? requestUrl : url, body }
  const codings = contentCodings(pairs)
  return codings.every((coding) => fetchCodings.has(coding))
    ? response
    : { ...response, codingError: codingError(codings, fetchCodings) }
}

/** The content codings that `fetch` decodes. */
const fetchCodings: ReadonlySet<string> = new Set([
  'gzip',
  'x-gzip',
  'deflate',
  'br',
  'zstd',
  'dcb',
  'dcz',
])

/** Returns the content codings of a body in lower case, in the order in which they were applied (RFC 9110, 8.4). */
export const contentCodings = (headers: Headers): ReadonlyArray<string> => {
  const value = HeaderList.combined(headers, 'content-encoding')
  return value === undefined
    ? noCodings
    : Grammar.splitList(value.toLowerCase()).filter((coding) => coding !== 'identity')
}

const noCodings: ReadonlyArray<string> = Object.freeze([])

/** Creates the error message for a body with an unsupported content coding. */
export const codingError = (
  codings: ReadonlyArray<string>,
  supported: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): string => {
  const unsupported = codings.find((coding) => !supported.has(coding))
  const name =
    unsupported !== undefined && Grammar.isToken(unsupported) ? ` ${unsupported.slice(0, 40)}` : ''
  return `unsupported Content-Encoding${name}: the transport decodes ${[...supported.keys()].join(', ')}`
}
