/**
 * Reads the body of a request that another server has received.
 *
 * Middleware of that server, such as a body parser, may have read the body before. The bytes are then used if the middleware has
 * kept them. Otherwise, reading the body is an error that names the remedy.
 */
import type { IncomingMessage } from 'node:http'
import type { RequestFailure } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import type { MemoryReservation } from '../../interpreter/memory-reservation.ts'
import type { RequestBuffer } from '../exchange/incoming-request.ts'
import { BufferedBody, readByEvents } from '../exchange/incoming-request.ts'
import { isBytes } from '../../http/platform-value.ts'

/** Buffers the body of a request through the events of its stream. */
export class ForeignBody implements RequestBuffer {
  readonly #request: IncomingMessage
  #body: BufferedBody | undefined = undefined

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  readBody(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ): void {
    this.#body = new BufferedBody(limit, reservation, callback)
    readByEvents(this.#request, this.#body)
    // middleware may have paused the request
    this.#request.resume()
  }

  discardBody(): void {
    this.#body?.discard()
    this.#body = undefined
  }

  get isAwaitingBody(): boolean {
    const { complete, readableFlowing, readableLength } = this.#request
    return !complete && readableFlowing === true && readableLength === 0
  }
}

/** The error for a request body that middleware has read before the route tree. It results in a 500 response. */
export class BodyAlreadyReadError extends Error {
  constructor() {
    super(
      'the request body has already been read by other middleware: mount nodeListener before body parsers such as express.json(), or keep the bytes in request.rawBody',
    )
    this.name = 'BodyAlreadyReadError'
  }
}

/**
 * Returns the bytes of a body that middleware has read, or `undefined` if the body has not been read. The bytes are in
 * `request.rawBody` (NestJS with `rawBody: true`, Cloud Functions) or in `request.body` (`express.raw()`).
 *
 * Throws a {@link BodyAlreadyReadError} if the bytes are not available. They are not available either if the request has a content
 * coding, because body parsers decompress the body.
 */
export const bytesReadBefore = (request: IncomingMessage): Uint8Array | undefined => {
  const isUnread =
    !request.readableDidRead &&
    !request.readableEnded &&
    request.readableEncoding === null &&
    request.readableFlowing !== true
  if (isUnread) return undefined
  const bytes = ['rawBody', 'body'].map((name): unknown => Reflect.get(request, name)).find(isBytes)
  const isEncoded = Headers.all(request.rawHeaders, 'content-encoding').length > 0
  if (bytes === undefined || isEncoded) throw new BodyAlreadyReadError()
  return bytes
}
