/** The shortest passage over a network: what policies are, is seen by a server. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Passage } from '../../src/client/exchange.ts'
import { aborted } from '../../src/client/error-factories.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

export const fetching =
  (fetch: Fetch = globalThis.fetch): Passage =>
  (request) =>
  async () => {
    const { method, headers, operation, signal } = request
    try {
      const pairs = headers.flatMap((name, i) =>
        i % 2 === 0 ? [[name, headers[i + 1] ?? ''] satisfies [string, string]] : [],
      )
      const response = await fetch(request.url, {
        method,
        headers: pairs,
        redirect: 'manual',
        ...(request.body === undefined ? {} : { body: contentOf(request) }),
        ...(signal === undefined ? {} : { signal }),
      })
      const { status, url, body } = response
      return E.right({ status, headers: [...response.headers].flat(), url, body })
    } catch (cause) {
      if (signal?.aborted === true) return E.left(aborted(request))
      const message = `${operation.name}: ${String(cause)}`
      return E.left({ _tag: 'NetworkError', message, operation: operation.name, cause })
    }
  }

const contentOf = ({ body }: ClientRequest): string | Uint8Array | Blob => {
  if (body?._tag !== 'Whole') throw new Error('this is for contents that are whole')
  return body.content
}
