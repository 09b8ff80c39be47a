/**
 * An exchange over a request and a response that another server has created.
 *
 * Middleware of that server may have replaced methods of the response. Middleware such as a body parser may also have read the body. The
 * bytes are then used if the middleware has kept them. Otherwise, reading the body is an error that names the remedy.
 */
import * as Headers from '../../http/headers.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestFailure } from '../../http/failure.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import type { BodyStream } from '../../interpreter/exchange.ts'
import type { Http1Context } from '../exchange/http1-exchange.ts'
import { NodeExchange, writeHeadSeparately } from '../exchange/node-exchange.ts'
import type { RequestHead } from '../exchange/request-head.ts'
import type { ChunkTarget } from '../exchange/send-chunks.ts'
import type { RequestBuffer } from '../exchange/request-body.ts'
import { BufferedBody, readByEvents } from '../exchange/request-body.ts'
import { isBytes } from '../../http/platform-value.ts'

/** An exchange whose request is below a mount path. */
export class MountedExchange extends NodeExchange {
  readonly mountPath: string
  readonly #hasBody: boolean

  /** `mountPath` is the path below which the route tree is mounted, or an empty string. `target` does not contain it. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    head: RequestHead,
    target: RequestTarget | RequestFailure,
    server: Http1Context,
    mountPath: string,
  ) {
    super(
      request,
      foreignBody(request),
      response,
      head.expects && hasSentContinue(response) ? { ...head, expects: false } : head,
      target,
      server,
    )
    this.mountPath = mountPath
    this.#hasBody = head.coding !== undefined || head.length > 0
  }

  override prefix(): string {
    return super.prefix() + this.mountPath
  }

  override readBody(limit: SizeLimit, callback: (body: Uint8Array | RequestFailure) => void): void {
    const bytes = this.#bytesReadBefore
    if (bytes === undefined) super.readBody(limit, callback)
    else callback(bytes.length > limit.bytes ? bodyTooLarge(limit) : bytes)
  }

  override streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    const bytes = this.#bytesReadBefore
    if (bytes === undefined) return super.streamBody(limit)
    return bytes.length > limit.bytes ? bodyTooLarge(limit) : streamOf(bytes)
  }

  get #bytesReadBefore(): Uint8Array | undefined {
    return this.#hasBody ? bytesReadBefore(this.request) : undefined
  }

  protected override writeHead(status: number, headers: string[]): void {
    const { response } = this
    if (Object.hasOwn(response, 'writeHead')) writeHeadSeparately(response, status, headers)
    else super.writeHead(status, headers)
  }

  protected override get chunkTarget(): ChunkTarget {
    return Object.hasOwn(this.response, 'write') ? replacedWrite(this.response) : super.chunkTarget
  }
}

/** A response whose `write` method middleware has replaced. The replacement of `compression` ignores the callback. */
const replacedWrite = (response: ServerResponse): ChunkTarget => ({
  get destroyed() {
    return response.destroyed
  },
  writableLength: 0,
  write: (chunk, callback) => {
    // the stream of a replacement may keep the chunk after the call
    const hasRoom = response.write(Buffer.from(chunk))
    if (hasRoom) setImmediate(callback)
    else response.once('drain', callback)
    return false
  },
  flushHeaders: () => response.flushHeaders(),
})

/**
 * Whether the server has already sent 100 (Continue), as Node.js does by default before it emits `request`. If the undocumented
 * property were missing, 100 would be sent twice, which is permitted.
 */
const hasSentContinue = (response: ServerResponse): boolean =>
  Reflect.get(response, '_sent100') === true

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes
}

/** Buffers the body of a request through the events of its stream. */
const foreignBody = (request: IncomingMessage): RequestBuffer => {
  let body: BufferedBody | undefined
  return {
    readBody: (limit, reservation, callback) => {
      body = new BufferedBody(limit, reservation, callback)
      readByEvents(request, body)
      // middleware may have paused the request
      request.resume()
    },
    discardBody: () => {
      body?.discard()
      body = undefined
    },
    get isAwaitingBody() {
      const { complete, readableFlowing, readableLength } = request
      return !complete && readableFlowing === true && readableLength === 0
    },
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
