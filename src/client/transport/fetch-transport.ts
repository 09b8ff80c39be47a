/** The innermost passage: `fetch`, which is asked for each try, so that nothing is sent before. */
import type { Headers } from '../../http/headers.ts'
import type { BodySource } from '../request/body-source.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import { passing } from './transport.ts'

/** What `fetch` of the platform is, and `inMemory(…)` of `espalier/testing`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends by a `fetch`, or by that of the platform at the time. Redirections are answers like others. */
export const sending = (fetch: Fetch | undefined): Passage =>
  passing<Response>({
    send: (request, source) => (fetch ?? globalThis.fetch)(request.url, initOf(request, source)),
    responseOf: (response, { url }) => responseOf(response, url),
    leave: ({ body }) => void body?.cancel().catch(() => undefined),
  })

const initOf = (
  { method, headers, body, signal, mayRedirect = true }: ClientRequest,
  source: BodySource | undefined,
): RequestInit => {
  const init: RequestInit = {
    method,
    headers: fieldsOf(headers),
    redirect: 'manual',
    signal: signal ?? null,
  }
  if (body === undefined) return init
  const uncopied = mayRedirect ? {} : withoutCopy
  switch (body._tag) {
    case 'Whole':
      if (body.content instanceof Blob) return { ...init, body: body.content, ...uncopied }
      init.body = body.content
      return init
    case 'Form':
      return { ...init, body: body.form, ...uncopied }
    case 'Pieces':
      return { ...init, body: source?.stream() ?? null, duplex: 'half', ...uncopied }
  }
}

/**
 * Of a body that could be sent again, to where a redirection leads or with other credentials, `fetch` keeps all octets (Fetch
 * standard, HTTP-network-or-cache fetch, 1). It does not where neither can be: what is large is not in memory then.
 */
const withoutCopy: RequestInit = { redirect: 'error', window: null }

/** As an object, which `fetch` takes apart in half the time of pairs; as pairs where a name is there twice, or is none for an object. */
const fieldsOf = (headers: Headers): Record<string, string> | Array<[string, string]> => {
  const fields: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (name in fields) return pairsOf(headers)
    fields[name] = headers[at + 1] ?? ''
  }
  return fields
}

const pairsOf = (headers: Headers): Array<[string, string]> => {
  const pairs: Array<[string, string]> = []
  for (let at = 0; at < headers.length; at += 2)
    pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  return pairs
}

/** A `Response` that was made, and not fetched, has no URL. */
const responseOf = ({ status, headers, url, body }: Response, asked: string): ClientResponse => {
  const fields: string[] = []
  headers.forEach((value, name) => fields.push(name, value))
  return { status, headers: fields, url: url === '' ? asked : url, body }
}
