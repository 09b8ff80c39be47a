/** A TCP client that writes raw bytes and reads HTTP responses. Each read fails after a time limit. */
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { RawResponse } from './raw-response.ts'
import { takeResponse } from './raw-response.ts'

export interface RawConnection {
  readonly socket: Socket
  /** Writes a message as Latin-1: each character is one byte. */
  readonly write: (message: string) => void
  /** Reads the next response, interim or final. A response to the method HEAD has no body. Default: GET. */
  readonly next: (method?: string) => Promise<RawResponse>
  /** Resolves when the server has sent data or ended the connection. */
  readonly readable: () => Promise<void>
  /** Reads all responses up to the end of the connection. Rejects on a reset or on other data. */
  readonly rest: () => Promise<ReadonlyArray<RawResponse>>
  /** Resolves when the server has closed the connection. Rejects on a reset or on unread data. */
  readonly closed: () => Promise<void>
  /** Destroys the socket. */
  readonly destroy: () => void
}

/** Milliseconds to wait for data. */
const readTimeout = 20_000

/** Connects to the server at `url`. With `allowHalfOpen`, the client side stays open after the server has ended its side. */
export const connectTo = async (
  url: string,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  // without Nagle's algorithm, each write is sent at once
  const socket = connect({ ...options, host: hostname, port: Number(port), noDelay: true })
  const connection = connectionOver(socket)
  await once(socket, 'connect')
  return connection
}

/** Reads and writes on a socket, which may still be connecting. */
export const connectionOver = (socket: Socket): RawConnection => {
  const changes = new EventEmitter()
  let received = ''
  let ended = false
  let failed: Error | undefined
  const change = (): boolean => changes.emit('change')
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    change()
  })
  socket.on('end', () => {
    ended = true
    change()
  })
  socket.on('error', (error) => {
    failed = error
    change()
  })

  const waitFor = async <A>(awaited: string, poll: () => A | undefined): Promise<A> => {
    const signal = AbortSignal.timeout(readTimeout)
    for (;;) {
      const result = poll()
      if (result !== undefined) return result
      if (failed !== undefined) throw failed
      if (ended || signal.aborted)
        throw new Error(
          `${ended ? 'connection closed' : 'timeout'} before ${awaited}; unread: ${received}`,
        )
      await once(changes, 'change', { signal }).catch(() => undefined)
    }
  }
  return {
    socket,
    write: (message) => socket.write(message, 'latin1'),
    next: (method = 'GET') =>
      waitFor('a response', () => {
        const [response, rest] = takeResponse(received, method) ?? []
        received = rest ?? received
        return response
      }),
    readable: async () => {
      await waitFor('any data', () => received !== '' || ended || undefined)
    },
    rest: async () => {
      await waitFor('the end', () => ended || undefined)
      const responses: RawResponse[] = []
      while (received !== '') {
        const [response, rest] = takeResponse(received, 'GET') ?? []
        if (response === undefined) throw new Error(`incomplete response: ${received}`)
        responses.push(response)
        received = rest ?? ''
      }
      return responses
    },
    closed: async () => {
      await waitFor('the end', () => ended || undefined)
      if (received !== '') throw new Error(`unexpected data before the end: ${received}`)
    },
    destroy: () => socket.destroy(),
  }
}
