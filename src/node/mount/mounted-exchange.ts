/**
 * An exchange over a request and a response that another server has created. Middleware of that server may have read the body, and
 * may have replaced methods of the response.
 */
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
import { ForeignBody, bytesReadBefore } from './foreign-body.ts'

/** An exchange whose request is below a mount path. */
export class MountedExchange extends NodeExchange {
  readonly #mountPath: string
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
      new ForeignBody(request),
      response,
      head.expects && hasSentContinue(response) ? { ...head, expects: false } : head,
      target,
      server,
    )
    this.#mountPath = mountPath
    this.#hasBody = head.coding !== undefined || head.length > 0
  }

  override prefix(): string {
    return super.prefix() + this.#mountPath
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
    return Object.hasOwn(this.response, 'write')
      ? new ReplacedWrite(this.response)
      : super.chunkTarget
  }
}

/** A response whose `write` method middleware has replaced. The replacement of `compression` ignores the callback. */
class ReplacedWrite implements ChunkTarget {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get destroyed(): boolean {
    return this.#response.destroyed
  }

  get writableLength(): number {
    return 0
  }

  write(chunk: Uint8Array, callback: (error?: Error | null) => void): boolean {
    // the stream of a replacement may keep the chunk after the call
    const hasRoom = this.#response.write(Buffer.from(chunk))
    if (hasRoom) setImmediate(callback)
    else this.#response.once('drain', callback)
    return false
  }

  flushHeaders(): void {
    this.#response.flushHeaders()
  }
}

/**
 * Whether the server has already sent 100 (Continue), as Node.js does by default before it emits `request`. If the undocumented
 * property were missing, 100 would be sent twice, which is permitted.
 */
const hasSentContinue = (response: ServerResponse): boolean =>
  Reflect.get(response, '_sent100') === true

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes
}
