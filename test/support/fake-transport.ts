/** Transports without a network, which record requests and return configured outcomes. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../../src/client/client-error.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../../src/client/exchange.ts'
import { aborted } from '../../src/client/error-factories.ts'
import type { Outcome } from '../../src/client/policy/policy.ts'

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

export const responseOutcome = (
  status: number,
  headers: ReadonlyArray<string> = [],
  body: ReadableStream<Uint8Array> | null = null,
): Outcome => E.right({ status, headers, url: '', body })

/** The outcome of a failed connection. */
export const networkError: Outcome = E.left({
  _tag: 'NetworkError',
  message: 'books.get: no connection',
  operation: 'books.get',
  cause: new Error('no connection'),
})

export interface FakeTransport {
  readonly passage: Passage
  /** The requests sent so far. */
  readonly sent: ReadonlyArray<ClientRequest>
}

/** Creates a transport that calls a function for each request. */
export const fakeTransport = (
  respond: (request: ClientRequest, index: number) => Outcome | Promise<Outcome>,
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
  readonly respond: (index: number, outcome: Outcome) => void
}

export const manualTransport = (): ManualTransport => {
  const sent: ClientRequest[] = []
  const resolvers: Array<(outcome: Outcome) => void> = []
  return {
    sent,
    respond: (index, outcome) => resolvers[index]?.(outcome),
    passage: (request) => () =>
      new Promise((resolve) => {
        sent.push(request)
        resolvers.push(resolve)
        const onAbort = (): void => resolve(E.left(aborted(request)))
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
): Promise<Outcome> =>
  [policies].flat().reduceRight((next, { around }) => around(next), passage)(request)()

/** Returns the status of a response or the tag of an error. */
export const outcomeName = (outcome: Outcome): number | ClientError['_tag'] =>
  E.isRight(outcome) ? outcome.right.status : outcome.left._tag

export const expectError = (outcome: Outcome): ClientError => {
  if (E.isRight(outcome)) throw new Error(`expected an error, got status ${outcome.right.status}`)
  return outcome.left
}

export const expectResponse = (outcome: Outcome): ClientResponse => {
  if (E.isLeft(outcome)) throw new Error(`expected a response: ${outcome.left.message}`)
  return outcome.right
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

/** Reads a body and returns the error; `undefined` if there is none. */
export const readError = (body: ReadableStream<Uint8Array> | null): Promise<unknown> =>
  readText(body).then(
    () => undefined,
    (error: unknown) => error,
  )
