/** Reads pipelined responses, with bodies of any framing, from a connection. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

export interface Received {
  readonly status: number
  readonly body: string
}

export interface ResponseReader {
  readonly socket: Socket
  /** The final responses. Rejects if the connection closes before the last one. */
  readonly responses: Promise<ReadonlyArray<Received>>
  /** Resolves when the server has closed the connection without further bytes. */
  readonly ended: Promise<void>
}

/** Takes a chunked body. Returns the body and the position after it, or `undefined` if it is incomplete. */
const takeChunks = (text: string, from: number): readonly [string, number] | undefined => {
  let body = ''
  let at = from
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (text.length < end + 2) return undefined
    if (text.slice(end, end + 2) !== '\r\n') throw new Error('invalid chunk')
    if (size === 0) return [body, end + 2]
    body += text.slice(lineEnd + 2, end)
    at = end + 2
  }
}

/** Takes a response. Returns it and the position after it, or `undefined` if it is incomplete. */
const takeResponse = (
  text: string,
  from: number,
  method: string | undefined,
): readonly [Received, number] | undefined => {
  const end = text.indexOf('\r\n\r\n', from)
  if (end < 0) return undefined
  const head = text.slice(from, end)
  const [, digits] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
  if (digits === undefined) throw new Error(`invalid response: ${head.slice(0, 200)}`)
  const status = Number(digits)
  const start = end + 4
  if (method === 'HEAD' || status === 204) return [{ status, body: '' }, start]
  if (/^transfer-encoding: chunked$/im.test(head)) {
    const [body, after] = takeChunks(text, start) ?? []
    return body === undefined || after === undefined ? undefined : [{ status, body }, after]
  }
  const [, length = '0'] = /^content-length: (\d+)$/im.exec(head) ?? []
  const after = start + Number(length)
  return text.length < after ? undefined : [{ status, body: text.slice(start, after) }, after]
}

/** Connects to a server, and reads the responses to requests with these methods. */
export const readResponses = async (
  url: string,
  methods: ReadonlyArray<string>,
): Promise<ResponseReader> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
  let text = ''
  const received: Received[] = []
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('end', () =>
      text === '' && received.length === methods.length
        ? resolve()
        : reject(new Error(`closed after ${received.length} of ${methods.length} responses`)),
    )
  })
  ended.catch(() => undefined)
  const responses = new Promise<ReadonlyArray<Received>>((resolve, reject) => {
    ended.catch(reject)
    socket.on('data', (data) => {
      text += data.toString('latin1')
      let at = 0
      try {
        while (received.length < methods.length) {
          const [response, after] = takeResponse(text, at, methods[received.length]) ?? []
          if (response === undefined || after === undefined) break
          received.push(response)
          at = after
        }
      } catch (error) {
        reject(error)
      }
      text = text.slice(at)
      if (received.length === methods.length) resolve(received)
    })
  })
  responses.catch(() => undefined)
  await once(socket, 'connect')
  return { socket, responses, ended }
}
