/** The innermost passage: `fetch`, which is asked for each try, so that nothing is sent before. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientBody, ClientRequest, ClientResponse, Passage } from './exchange.ts'
import { brokenOff, unsent } from './failing.ts'

/** What `fetch` of the platform is, and `inMemory(…)` of `espalier/testing`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends by a `fetch`, or by that of the platform at the time. Redirections are answers like others. */
export const sending =
  (fetch: Fetch | undefined): Passage =>
  (request) =>
  async () => {
    const { operation, url, signal } = request
    const source = new BodySource(request.body)
    try {
      if (signal?.aborted === true) return E.left(brokenOff(operation, undefined, signal))
      const send: Fetch = fetch ?? globalThis.fetch
      const response = await send(url, initOf(request, source))
      // what a service says to half of a body is no answer to the call
      if (!source.hasFailed) return E.right(responseOf(response, url))
      response.body?.cancel().catch(() => undefined)
      return E.left(unsent(operation, source.error))
    } catch (error) {
      source.leave()
      return E.left(
        source.hasFailed && signal?.aborted !== true
          ? unsent(operation, source.error)
          : brokenOff(operation, error, signal),
      )
    }
  }

const initOf = (
  { method, headers, body, signal, mayRedirect = true }: ClientRequest,
  source: BodySource,
): RequestInit => {
  const pairs: Array<[string, string]> = []
  for (let at = 0; at < headers.length; at += 2)
    pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  const uncopied = mayRedirect ? {} : withoutCopy
  const init: RequestInit = { method, headers: pairs, redirect: 'manual', signal: signal ?? null }
  switch (body?._tag) {
    case undefined:
      return init
    case 'Whole':
      return { ...init, body: body.content, ...(body.content instanceof Blob ? uncopied : {}) }
    case 'Form':
      return { ...init, body: body.form, ...uncopied }
    case 'Pieces':
      return { ...init, body: source.stream(), duplex: 'half', ...uncopied }
  }
}

/**
 * Of a body that could be sent again, to where a redirection leads or with other credentials, `fetch` keeps all octets (Fetch
 * standard, HTTP-network-or-cache fetch, 1). It does not where neither can be: what is large is not in memory then.
 */
const withoutCopy: RequestInit = { redirect: 'error', window: null }

/** The source of a body that is sent in pieces. What goes wrong with it is known here: `fetch` says no more than that it failed. */
class BodySource {
  hasFailed = false
  error: unknown = undefined
  readonly #body: ClientBody | undefined
  #pieces: AsyncIterator<Uint8Array> | undefined = undefined

  constructor(body: ClientBody | undefined) {
    this.#body = body
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const next = await this.#next()
          if (next === undefined) controller.close()
          else controller.enqueue(next)
        },
        cancel: () => this.leave(),
      },
      { highWaterMark: 0 },
    )
  }

  /** Nobody asks any more. */
  leave(): void {
    const left = this.#pieces?.return?.()
    left?.then(undefined, () => undefined)
    this.#pieces = undefined
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      if (this.#body?._tag === 'Pieces') this.#pieces ??= this.#body.open()[Symbol.asyncIterator]()
      const next = await this.#pieces?.next()
      return next === undefined || next.done === true ? undefined : next.value
    } catch (error) {
      this.hasFailed = true
      this.error = error
      throw error
    }
  }
}

/** A `Response` that was made, and not fetched, has no URL. */
const responseOf = ({ status, headers, url, body }: Response, asked: string): ClientResponse => {
  const fields: string[] = []
  headers.forEach((value, name) => fields.push(name, value))
  return { status, headers: fields, url: url === '' ? asked : url, body }
}
