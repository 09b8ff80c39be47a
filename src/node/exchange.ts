/** The exchange of `node:http`: a request that was received, and the response to it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as Status from '../http/status.ts'
import type { Answer, Exchange } from '../interpreter/exchange.ts'
import { take, tooLarge } from './body.ts'
import { endAfterReading } from './linger.ts'
import type { Received } from './receive.ts'

/** What a connection tells of itself. */
export interface Connection {
  /** Whether the server is about to stop, so that the connection is closed behind this answer. */
  readonly closing: () => boolean
  /** Octets that a client may still send behind an answer that did not need them. */
  readonly dropped: number
}

/** The exchange for a request to a resource. */
export const exchangeOf = (
  request: IncomingMessage,
  response: ServerResponse,
  received: Received,
  connection: Connection,
): Exchange => {
  const { target, authority } = received
  let controller: AbortController | undefined
  // a client that waits for 100 may never send its content, so the connection cannot be used for another request
  let waits = expectsContinue(request)
  return {
    method: request.method ?? '',
    path: target._tag === 'Resource' ? target.path : '*',
    query: target._tag === 'Resource' ? target.query : undefined,
    headers: request.rawHeaders,
    origin: () => `http://${authority ?? ''}`,
    signal: () => (controller ??= abortedWith(response)).signal,
    takeContent: (limit, then) => {
      const announced = lengthOf(request)
      if (announced > limit) return then(tooLarge(limit))
      if (waits) response.writeContinue()
      waits = false
      take(request, limit, then)
    },
    answer: (answer) => send(request, response, answer, connection, waits),
  }
}

/** In a request of HTTP/1.0 it means nothing (RFC 9110, 10.1.1). */
const expectsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1'

/** The length that a request announces; 0 for one without content, as far as is known for a chunked one. */
const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

const abortedWith = (response: ServerResponse): AbortController => {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  if (response.destroyed) controller.abort()
  return controller
}

/**
 * Sends an answer, head and content in one write. A second answer is a defect that the client must not see, so it is
 * dropped; to a client that has gone, nothing is sent.
 */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, content }: Answer,
  { closing, dropped }: Connection,
  waits: boolean,
): void => {
  if (response.headersSent || response.destroyed) return
  const chunked = request.headers['transfer-encoding'] !== undefined
  const unread = !request.complete && (chunked || lengthOf(request) > 0)
  const closes =
    closing() ||
    !response.shouldKeepAlive ||
    (unread && (waits || chunked || lengthOf(request) > dropped))
  const head = [...headers]
  if (status !== 204 && status !== 304)
    head.push('Content-Length', String(lengthOfContent(status, content)))
  if (closes) head.push('Connection', 'close')
  response.writeHead(status, head)
  const body = request.method === 'HEAD' || !Status.hasContent(status) ? undefined : content
  if (!closes || !unread) {
    response.end(body)
    return
  }
  response.write(body ?? '')
  endAfterReading(request, response)
}

const lengthOfContent = (status: number, content: Answer['content']): number =>
  content === undefined || !Status.hasContent(status)
    ? 0
    : typeof content === 'string'
      ? Buffer.byteLength(content)
      : content.length
