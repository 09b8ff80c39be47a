/** Sends one request on a connection of its own. */
import { connect } from 'node:net'
import type { HostileRequest } from './hostile-case.ts'

/** Milliseconds after which a response counts as missing. */
const timeout = 120_000

/** Returns the status of the response once it is complete; 0 if the connection is closed before. */
export const exchange = (url: string, request: HostileRequest): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let received = ''
    const done = (status: number): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(status)
    }
    const timer = setTimeout(() => done(0), timeout)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      const status = statusIfComplete(received)
      if (status !== undefined) done(status)
    })
    // a response may arrive although the rest of the body cannot be written
    socket.on('error', () => undefined)
    socket.on('close', () => done(statusIfComplete(received) ?? 0))
    socket.write(headOf(request), 'latin1')
    if (request.body !== undefined) socket.write(framed(request, request.body))
  })

/** Formats the head of a request. */
export const headOf = ({ method, target, headers, body, chunkSize }: HostileRequest): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: a.example',
    ...(headers.some((line) => line.startsWith('Connection:')) ? [] : ['Connection: close']),
    ...headers,
    ...(body === undefined
      ? []
      : [
          chunkSize === undefined ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked',
        ]),
    '',
    '',
  ].join('\r\n')

const framed = ({ chunkSize }: HostileRequest, body: Uint8Array): Uint8Array => {
  if (chunkSize === undefined) return body
  const chunks: Uint8Array[] = []
  for (let at = 0; at < body.length; at += chunkSize) {
    const chunk = body.subarray(at, at + chunkSize)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

/** The status of a complete response; `undefined` if it is incomplete. */
const statusIfComplete = (received: string): number | undefined => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.slice(0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  if (status === 204 || status === 304) return status
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Infinity)
  return received.length >= end + 4 + length ? status : undefined
}
