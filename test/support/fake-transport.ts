/** Passages without a network: what is sent is remembered, and what comes back is what a test says. */
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

/** What a passage gives that cannot reach anybody. */
export const networkError: Outcome = E.left({
  _tag: 'NetworkError',
  message: 'books.get: no connection',
  operation: 'books.get',
  cause: new Error('no connection'),
})

export interface FakeTransport {
  readonly passage: Passage
  /** What was sent so far. */
  readonly sent: ReadonlyArray<ClientRequest>
}

/** A passage that answers each request with what a function says. */
export const fakeTransport = (
  answer: (request: ClientRequest, index: number) => Outcome | Promise<Outcome>,
): FakeTransport => {
  const sent: ClientRequest[] = []
  return {
    sent,
    passage: (request) => async () => answer(request, sent.push(request) - 1),
  }
}

/** A passage that answers when a test says so, or with `Aborted` when the request is aborted. */
export interface ManualTransport {
  readonly passage: Passage
  readonly sent: ReadonlyArray<ClientRequest>
  /** Answers the request of that index. */
  readonly respond: (index: number, outcome: Outcome) => void
}

export const manualTransport = (): ManualTransport => {
  const sent: ClientRequest[] = []
  const answers: Array<(outcome: Outcome) => void> = []
  return {
    sent,
    respond: (index, outcome) => answers[index]?.(outcome),
    passage: (request) => () =>
      new Promise((resolve) => {
        sent.push(request)
        answers.push(resolve)
        const gone = (): void => resolve(E.left(aborted(request)))
        if (request.signal?.aborted === true) gone()
        else request.signal?.addEventListener('abort', gone)
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

/** What came of it in a word: the status, or the tag of the error. */
export const outcomeName = (outcome: Outcome): number | ClientError['_tag'] =>
  E.isRight(outcome) ? outcome.right.status : outcome.left._tag

export const expectError = (outcome: Outcome): ClientError => {
  if (E.isRight(outcome)) throw new Error(`a response: ${outcome.right.status}`)
  return outcome.left
}

export const expectResponse = (outcome: Outcome): ClientResponse => {
  if (E.isLeft(outcome)) throw new Error(`no response: ${outcome.left.message}`)
  return outcome.right
}

/** A content that knows how far it was taken. */
export interface FakeBody {
  readonly body: ReadableStream<Uint8Array>
  readonly isCancelled: () => boolean
  /** How many pieces were asked for. */
  readonly chunksRead: () => number
}

/** Content of these pieces; without an end where the last is `…`. */
export const fakeBody = (...pieces: ReadonlyArray<string>): FakeBody => {
  let isCancelled = false
  let at = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const piece = pieces[at++]
        if (piece === undefined) controller.close()
        else if (piece === '…') return new Promise(() => undefined)
        else controller.enqueue(new TextEncoder().encode(piece))
        return undefined
      },
      cancel: () => {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, isCancelled: () => isCancelled, chunksRead: () => at }
}

/** All of a content, as text. */
export const readText = async (body: ReadableStream<Uint8Array> | null): Promise<string> =>
  body === null ? '' : new Response(body).text()

/** What reading fails with; `undefined` where it does not. */
export const readError = (body: ReadableStream<Uint8Array> | null): Promise<unknown> =>
  readText(body).then(
    () => undefined,
    (error: unknown) => error,
  )
