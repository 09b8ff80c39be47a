/**
 * An emulation of response streaming in the Node.js runtime of AWS Lambda.
 *
 * As in the runtime, the response stream is the body of an HTTP request to a local server, a function must have been marked with
 * `streamifyResponse`, and the prelude is sent with the first write.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { ClientRequest, createServer, request } from 'node:http'
import type { LambdaEvent, LambdaResult } from '../../src/fetch.ts'
import { withServer } from '../support/while-listening.ts'

type Head = Pick<LambdaResult, 'statusCode' | 'headers' | 'cookies'>

/** The response that the runtime has received so far. */
export interface StreamedResponse {
  readonly contentType: string | undefined
  readonly prelude: Head
  readonly body: Buffer
}

/** A call of a function. */
export interface Invocation {
  /** Resolves or rejects as the function does, when the response has ended. */
  readonly ended: Promise<unknown>
  readonly response: () => StreamedResponse
  /** Stops reading the response. */
  readonly pause: () => void
  /** Closes the connection that receives the response. */
  readonly disconnect: () => void
}

/** A response stream. */
type Stream = ClientRequest & {
  setContentType: (contentType: string) => void
  onBeforeFirstWrite?: () => void
}

type Run = (event: LambdaEvent, stream: Stream, context: unknown) => Promise<unknown>

type Invoke = (
  handler: (event: LambdaEvent, context?: unknown) => Promise<unknown>,
  event: LambdaEvent,
  context: unknown,
) => Invocation

const delimiter = Buffer.alloc(8)

/** Creates a response stream, which sends its chunks to `port`. */
const streamTo = (port: number): Stream => {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false })
  const write = sent.write.bind(sent)
  let hasWritten = false
  sent.on('error', () => undefined)
  const stream: Stream = Object.assign(sent, {
    setContentType: (contentType: string) => void sent.setHeader('Content-Type', contentType),
  })
  return Object.assign(stream, {
    write: (chunk: Uint8Array | string) => {
      if (!hasWritten) stream.onBeforeFirstWrite?.()
      hasWritten = true
      return write(chunk)
    },
  })
}

/** Provides the global object `awslambda` while `use` runs. */
export const inLambdaRuntime = <A>(use: (invoke: Invoke) => Promise<A>): Promise<A> => {
  const streamed = new WeakSet<object>()
  let received: IncomingMessage | undefined
  const chunks: Buffer[] = []
  const runtime = {
    streamifyResponse: (run: Run): Run => {
      streamed.add(run)
      return run
    },
    HttpResponseStream: {
      from: (stream: Stream, head: Head): Stream => {
        stream.setContentType('application/vnd.awslambda.http-integration-response')
        const write = (chunk: Uint8Array | string): boolean =>
          ClientRequest.prototype.write.call(stream, chunk, 'utf8')
        return Object.assign(stream, {
          onBeforeFirstWrite: () => {
            write(JSON.stringify(head))
            write(delimiter)
          },
        })
      },
    },
  }
  Reflect.set(globalThis, 'awslambda', runtime)
  const closed = new AbortController()
  const server = createServer((incoming, response) => {
    received = incoming
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => response.end())
    incoming.on('error', () => undefined)
    incoming.on('close', () => closed.abort())
  })
  return withServer(server, ({ port }) =>
    use((handler, event, context) => {
      if (!streamed.has(handler)) throw new TypeError('the function is not streamed')
      const run = handler as unknown as Run
      const stream = streamTo(port)
      const ended = run(event, stream, context).finally(() => {
        stream.end()
        if (!closed.signal.aborted) return once(closed.signal, 'abort')
        return undefined
      })
      return {
        ended,
        response: () => {
          const all = Buffer.concat(chunks)
          const end = all.indexOf(delimiter)
          return {
            contentType: received?.headers['content-type'],
            prelude: JSON.parse(all.subarray(0, Math.max(end, 0)).toString() || '{}') as Head,
            body: end < 0 ? Buffer.alloc(0) : all.subarray(end + delimiter.length),
          }
        },
        pause: () => void received?.pause(),
        disconnect: () => void received?.socket.destroy(),
      }
    }),
  ).finally(() => Reflect.deleteProperty(globalThis, 'awslambda'))
}
