/** Error responses on a bare socket, for requests that have no `ServerResponse` because Node's parser rejected them. */
import type { Duplex } from 'node:stream'
import type { RequestFailure } from '../../http/failure.ts'
import * as Problem from '../../http/problem.ts'
import * as Status from '../../http/status.ts'
import { encodeFailure } from '../../interpreter/errors/error-response.ts'
import { lingeringClose } from './lingering-close.ts'

/** Writes the error response of a failure, and closes the connection. */
export const writeRawError = (socket: Duplex, failure: RequestFailure): void => {
  if (!socket.writable) return
  const {
    status,
    headers,
    body: content = '',
  } = encodeFailure(failure, { method: 'GET', headers: [] }, Problem.newInstanceUri())
  const headerLines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : [],
  )
  const head = [
    `HTTP/1.1 ${status} ${Status.reasonPhrase(status)}`,
    `Date: ${new Date().toUTCString()}`,
    ...headerLines,
    `Content-Length: ${Buffer.byteLength(content)}`,
    'Connection: close',
  ]
  lingeringClose(socket, `${head.join('\r\n')}\r\n\r\n${content}`)
}
