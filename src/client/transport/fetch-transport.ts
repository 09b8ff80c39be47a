/** The transport that uses `fetch`. */
import type { Headers } from '../../http/headers.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import type { BodySource } from './body-source.ts'
import { createTransport } from './transport.ts'

/** The signature of the global `fetch`, and of `inMemory(…)` of `espalier/testing`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Creates a transport that uses the given function, or the global `fetch`, which is looked up for each request.
 * Redirects are not followed.
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
    case 'Whole':
      if (body.content instanceof Blob) return { ...init, body: body.content, ...bodyOptions }
      init.body = body.content
      return init
    case 'Form':
      return { ...init, body: body.form, ...bodyOptions }
    case 'Pieces':
      return { ...init, body: source?.stream() ?? null, duplex: 'half', ...bodyOptions }
  }
}

/**
 * Prevents `fetch` from buffering a large body.
 *
 * `fetch` keeps a copy of a body that it may have to send again, after a redirect or with credentials. These options exclude both.
 *
 * @see https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
const unbuffered: RequestInit = { redirect: 'error', window: null }

/**
 * Converts headers to an object, which `fetch` processes in half the time that an array of pairs takes. Returns pairs if a name
 * occurs more than once or is a property of `Object.prototype`.
 */
const toHeadersInit = (headers: Headers): Record<string, string> | Array<[string, string]> => {
  const values: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? ''
    if (name in values) return toPairs(headers)
    values[name] = headers[i + 1] ?? ''
  }
  return values
}

const toPairs = (headers: Headers): Array<[string, string]> => {
  const pairs: Array<[string, string]> = []
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  return pairs
}

/** Converts a response. One that was created with `new Response()` has no URL, so it gets that of the request. */
const toResponse = (
  { status, headers, url, body }: Response,
  requestUrl: string,
): ClientResponse => {
  const pairs: string[] = []
  headers.forEach((value, name) => pairs.push(name, value))
  return { status, headers: pairs, url: url === '' ? requestUrl : url, body }
}
