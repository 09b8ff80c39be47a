/**
 * Serves route trees on AWS Lambda with response streaming.
 *
 * The Node.js runtime of Lambda provides the global object `awslambda`. Its function `streamifyResponse` marks a function whose response
 * is streamed, and `HttpResponseStream.from` sends the status and the headers before the first chunk.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
 */
import type { FetchOptions, FetchServable } from './fetch-handler.ts'
import type { LambdaEvent, LambdaHead, LambdaInvocation } from './lambda.ts'
import { eventHandler, headOf } from './lambda.ts'
import { isObject } from '../http/platform-value.ts'

/** The members of the response stream of Lambda that are used. It is a writable stream of Node.js. */
interface ResponseStream {
  readonly destroyed?: boolean
  readonly write: (chunk: Uint8Array | string) => boolean
  readonly end: () => unknown
  readonly once: (event: StreamEvent, listener: () => void) => unknown
  readonly off: (event: StreamEvent, listener: () => void) => unknown
}

type StreamEvent = 'drain' | 'finish' | 'close' | 'error'

/** The global object `awslambda`. */
interface LambdaRuntime {
  readonly streamifyResponse: (
    run: (event: LambdaEvent, stream: ResponseStream, context: unknown) => Promise<void>,
  ) => LambdaStreamHandler
  readonly HttpResponseStream: {
    readonly from: (stream: ResponseStream, head: LambdaHead) => ResponseStream
  }
}

/** A Lambda function whose response is streamed. Only the runtime can call it. */
export type LambdaStreamHandler = (event: LambdaEvent, context?: unknown) => Promise<unknown>

/**
 * Compiles a route tree and returns a Lambda function that streams its responses. The options and errors are those of
 * `toLambdaHandler`. The function URL must have the invoke mode `RESPONSE_STREAM`.
 *
 * The status and the headers are sent before the first chunk is available. Chunks are sent with back-pressure. If the stream fails
 * after that, the function rejects, and Lambda ends the response as incomplete. If the connection to the client is lost, the source of
 * the stream is closed as soon as Lambda closes the response stream.
 *
 * Throws a `TypeError` if the global object `awslambda` is missing, because only the Node.js runtime of Lambda supports streaming.
 *
 * ```js
 * // the module of the Lambda function
 * import { toLambdaStreamHandler } from 'espalier/fetch'
 * import { api } from './api.js'
 *
 * export const handler = toLambdaStreamHandler(api)
 * ```
 */
export const toLambdaStreamHandler = <
  T,
  R extends {},
  E,
  K extends string = never,
  P extends LambdaInvocation = LambdaInvocation,
>(
  api: FetchServable<T, R, E, K, P>,
  options: FetchOptions<K, P> = {},
): LambdaStreamHandler => {
  const respond = eventHandler(api, options)
  const { streamifyResponse, HttpResponseStream } = lambdaRuntime()
  return streamifyResponse(async (event, stream, context) => {
    const response = await respond(event, context)
    const output = HttpResponseStream.from(stream, headOf(response))
    // the head is sent with the first chunk; without one, it would not be sent at all
    output.write('')
    await sendBody(response.body, output)
    if (isClosed(output)) return
    const finished = firstOf(output, ['finish', 'close', 'error'])
    output.end()
    await finished
  })
}

const lambdaRuntime = (): LambdaRuntime => {
  const runtime: unknown = Reflect.get(globalThis, 'awslambda')
  if (isRuntime(runtime)) return runtime
  throw new TypeError(
    'missing global object awslambda: toLambdaStreamHandler requires the Node.js runtime of AWS Lambda; elsewhere, use toLambdaHandler',
  )
}

const isRuntime = (value: unknown): value is LambdaRuntime =>
  isObject(value) && 'streamifyResponse' in value && 'HttpResponseStream' in value

/** Writes a body with back-pressure. Cancels the body if the stream is closed. */
const sendBody = async (body: Response['body'], output: ResponseStream): Promise<void> => {
  if (body === null) return
  const reader = body.getReader()
  const onClose = (): void => void reader.cancel().catch(() => undefined)
  output.once('close', onClose)
  output.once('error', onClose)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || isClosed(output)) return
      if (!output.write(value)) await firstOf(output, ['drain', 'close', 'error'])
    }
  } finally {
    output.off('close', onClose)
    if (isClosed(output)) onClose()
  }
}

const isClosed = ({ destroyed }: ResponseStream): boolean => destroyed === true

/** Resolves when the stream emits one of the events. */
const firstOf = (stream: ResponseStream, events: ReadonlyArray<StreamEvent>): Promise<void> =>
  new Promise((resolve) => {
    const onEvent = (): void => {
      for (const event of events) stream.off(event, onEvent)
      resolve()
    }
    for (const event of events) stream.once(event, onEvent)
  })
