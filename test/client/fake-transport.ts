/** Transports without a network, which record requests and return configured results. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../../src/client/client-error.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../../src/client/exchange.ts'
import { abortedError } from '../../src/client/error-factories.ts'
import type { SendResult } from '../../src/client/policy/policy.ts'

/** A request of the operation `books.get`. */
export const requestTo = (
  url: string = 'http://books.test/books/1',
  more: Partial<ClientRequest> = {},
): ClientRequest => ({
  operation: { name: 'books.get', template: '/books/{id}', method: more.method ?? 'GET' },
  method: 'GET',
  url,
  headers: [],
  body: undefined,
  signal: undefined,
  ...more,
})

/** Returns the result of a response. */
export const responseOf = (
  status: number,
  headers: ReadonlyArray<string> = [],
  body: ReadableStream<Uint8Array> | null = null,
): SendResult => E.right({ status, headers, url: '', body })

/** The result of a failed connection. */
export const networkError: SendResult = E.left({
  _tag: 'NetworkError',
  message: 'books.get: no connection',
  operation: 'books.get',
  cause: new Error('no connection'),
})

/** A transport that records requests. */
export interface FakeTransport {
  readonly passage: Passage
  /** The requests that were sent. */
  readonly sent: ReadonlyArray<ClientRequest>
}

/** Creates a transport that calls a function for each request. */
export const fakeTransport = (
  respond: (request: ClientRequest, index: number) => SendResult | Promise<SendResult>,
): FakeTransport => {
  const sent: ClientRequest[] = []
  return {
    sent,
    passage: (request) => async () => respond(request, sent.push(request) - 1),
  }
}

/** A transport whose responses a test triggers. Aborted requests result in `Aborted`. */
export interface ManualTransport {
  readonly passage: Passage
  readonly sent: ReadonlyArray<ClientRequest>
  /** Settles the request with the given index. */
  readonly respond: (index: number, result: SendResult) => void
}

export const manualTransport = (): ManualTransport => {
  const sent: ClientRequest[] = []
  const resolvers: Array<(result: SendResult) => void> = []
  return {
    sent,
    respond: (index, result) => resolvers[index]?.(result),
    passage: (request) => () =>
      new Promise((resolve) => {
        sent.push(request)
        resolvers.push(resolve)
        const onAbort = (): void => resolve(E.left(abortedError(request)))
        if (request.signal?.aborted === true) onAbort()
        else request.signal?.addEventListener('abort', onAbort)
      }),
  }
}

/** Sends a request through policies. */
export const send = (
  policies: Policy | ReadonlyArray<Policy>,
  { passage }: { readonly passage: Passage },
  request: ClientRequest = requestTo(),
): Promise<SendResult> =>
  [policies].flat().reduceRight((next, { around }) => around(next), passage)(request)()

/** Returns the status of a response or the tag of an error. */
export const statusOrTag = (result: SendResult): number | ClientError['_tag'] =>
  E.isRight(result) ? result.right.status : result.left._tag

/** Returns the error of a result. Throws for a response. */
export const expectError = (result: SendResult): ClientError => {
  if (E.isRight(result)) throw new Error(`expected an error, got status ${result.right.status}`)
  return result.left
}

/** Returns the response of a result. Throws for an error. */
export const expectResponse = (result: SendResult): ClientResponse => {
  if (E.isLeft(result)) throw new Error(`expected a response: ${result.left.message}`)
  return result.right
}

/** A response body that records how it is read. */
export interface FakeBody {
  readonly body: ReadableStream<Uint8Array>
  readonly isCancelled: () => boolean
  /** Returns the number of chunks that were requested. */
  readonly chunksRead: () => number
}

/** Creates a body of these chunks. It never ends if the last one is `…`. */
export const fakeBody = (...chunks: ReadonlyArray<string>): FakeBody => {
  let isCancelled = false
  let index = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = chunks[index++]
        if (chunk === undefined) controller.close()
        else if (chunk === '…') return new Promise(() => undefined)
        else controller.enqueue(new TextEncoder().encode(chunk))
        return undefined
      },
      cancel: () => {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, isCancelled: () => isCancelled, chunksRead: () => index }
}

/** Reads a body as text. */
export const readText = async (body: ReadableStream<Uint8Array> | null): Promise<string> =>
  body === null ? '' : new Response(body).text()

/** Reads a body and returns its error; `undefined` if the body is complete. */
export const readError = (body: ReadableStream<Uint8Array> | null): Promise<unknown> =>
  readText(body).then(
    () => undefined,
    (error: unknown) => error,
  )
