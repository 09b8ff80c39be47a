/** The innermost passage: `fetch`, which is asked for each try, so that nothing is sent before. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientBody, ClientRequest, ClientResponse, Passage } from './exchange.ts'
import { brokenOff } from './failing.ts'

/** What `fetch` of the platform is, and `inMemory(…)` of `espalier/testing`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends by a `fetch`, or by that of the platform at the time. Redirections are answers like others. */
export const sending =
  (fetch: Fetch | undefined): Passage =>
  (request) =>
  async () => {
    const { operation, url, signal } = request
    try {
      if (signal?.aborted === true) return E.left(brokenOff(operation, undefined, signal))
      const send: Fetch = fetch ?? globalThis.fetch
      return E.right(responseOf(await send(url, initOf(request)), url))
    } catch (error) {
      return E.left(brokenOff(operation, error, signal))
    }
  }

const initOf = ({ method, headers, body, signal }: ClientRequest): RequestInit => {
  const pairs: Array<[string, string]> = []
  for (let at = 0; at < headers.length; at += 2)
    pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  const init: RequestInit = { method, headers: pairs, redirect: 'manual', signal: signal ?? null }
  return body === undefined ? init : { ...init, ...contentOf(body) }
}

const contentOf = (body: ClientBody): RequestInit => {
  switch (body._tag) {
    case 'Whole':
      return { body: body.content }
    case 'Form':
      return { body: body.form }
    case 'Pieces':
      return { body: streamOf(body.open()), duplex: 'half' }
  }
}

const streamOf = (pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** A `Response` that was made, and not fetched, has no URL. */
const responseOf = ({ status, headers, url, body }: Response, asked: string): ClientResponse => {
  const fields: string[] = []
  headers.forEach((value, name) => fields.push(name, value))
  return { status, headers: fields, url: url === '' ? asked : url, body }
}
