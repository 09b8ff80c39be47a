/** A TCP client that collects everything it receives, such as chunked and interrupted responses. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { waitUntil } from '../../support/wait-until.ts'

export interface Client {
  /** Writes a message as Latin-1. */
  readonly write: (message: string) => void
  /** Waits until the received data includes `expected`. */
  readonly waitFor: (expected: string) => Promise<void>
  /** Waits for the end of the connection and returns all received data. */
  readonly readToEnd: () => Promise<string>
}

/** Connects to the server at `url`. */
export const connectClient = async (url: string): Promise<Client> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(20_000) })
  await once(socket, 'connect')
  return {
    write: (message) => socket.write(message, 'latin1'),
    waitFor: (expected) => waitUntil(() => received.includes(expected)),
    readToEnd: async () => {
      await closed
      return received
    },
  }
}

/** Decodes the chunked body of the first response. Appends `, interrupted` if the last chunk is missing. */
export const decodeChunks = (response: string): string => {
  let body = ''
  for (let at = response.indexOf('\r\n\r\n') + 4; ;) {
    const line = response.indexOf('\r\n', at)
    const size = Number.parseInt(response.slice(at, line), 16)
    if (!(size > 0)) return size === 0 ? body : `${body}, interrupted`
    body += response.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
