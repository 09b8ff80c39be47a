/** A client that writes octets and reads responses, and waits for nothing longer than a few seconds. */
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { RawResponse } from './raw-response.ts'
import { takeResponse } from './raw-response.ts'

export interface RawConnection {
  readonly socket: Socket
  /** Sends a text, an octet a character. */
  readonly write: (octets: string) => void
  /** The next response, final or not, to a request with that method; `GET` stands for all but HEAD. */
  readonly next: (method?: string) => Promise<RawResponse>
  /** Resolves when anything has come, be it the end. */
  readonly stirred: () => Promise<void>
  /** All responses up to the end of the connection; rejects when it was reset, or when what came is something else. */
  readonly rest: () => Promise<ReadonlyArray<RawResponse>>
  /** Resolves when the server has closed the connection; rejects when it was reset, or when more was sent before. */
  readonly closed: () => Promise<void>
  /** Closes the connection from this side, without a word. */
  readonly leave: () => void
}

/** Milliseconds until something that is waited for has failed to come. */
const patience = 20_000

/** Connects to the server at a URL; `allowHalfOpen` leaves this side open when the server has closed its own. */
export const connectTo = async (
  url: string,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  // what is written goes out as it is written, and waits for no answer to what went before
  const socket = connect({ ...options, host: hostname, port: Number(port), noDelay: true })
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
  await once(socket, 'connect')

  const until = async <A>(awaited: string, look: () => A | undefined): Promise<A> => {
    const signal = AbortSignal.timeout(patience)
    for (;;) {
      const seen = look()
      if (seen !== undefined) return seen
      if (failed !== undefined) throw failed
      if (ended || signal.aborted)
        throw new Error(`${ended ? 'closed' : 'silent'} before ${awaited}; unread: ${received}`)
      await once(changes, 'change', { signal }).catch(() => undefined)
    }
  }
  return {
    socket,
    write: (octets) => socket.write(octets, 'latin1'),
    next: (method = 'GET') =>
      until('a response', () => {
        const [response, rest] = takeResponse(received, method) ?? []
        received = rest ?? received
        return response
      }),
    stirred: async () => {
      await until('anything', () => received !== '' || ended || undefined)
    },
    rest: async () => {
      await until('the end', () => ended || undefined)
      const responses: RawResponse[] = []
      while (received !== '') {
        const [response, rest] = takeResponse(received, 'GET') ?? []
        if (response === undefined) throw new Error(`cut off: ${received}`)
        responses.push(response)
        received = rest ?? ''
      }
      return responses
    },
    closed: async () => {
      await until('the end', () => ended || undefined)
      if (received !== '') throw new Error(`sent before the end: ${received}`)
    },
    leave: () => socket.destroy(),
  }
}
