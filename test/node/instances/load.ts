/** Clients that send requests continuously, and count those without a complete response. */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'

/** A request that was sent, or a connection that was attempted, without a complete response. */
export interface LostRequest {
  /** The process that sent the previous response on this connection, or `undefined` for the first request. */
  readonly pid: number | undefined
  readonly reason: string
}

/** Counts of all clients. */
export interface Tally {
  readonly lost: ReadonlyArray<LostRequest>
  readonly responses: () => number
  /** The processes that have sent responses. */
  readonly pids: ReadonlySet<number>
  readonly connections: () => number
  /** Ends all clients after the response to their current request. */
  readonly stop: () => Promise<void>
  /** Resolves when all clients have ended by themselves: see `reconnects`. */
  readonly ended: Promise<unknown>
}

export interface LoadOptions {
  readonly clients: number
  /**
   * Whether a client opens another connection after a response with `Connection: close`, or when its connection is lost. Otherwise, it
   * ends.
   */
  readonly reconnects: boolean
  /** Whether a client ends when the server no longer listens. Default: its connection is lost. */
  readonly endsWithServer?: boolean
  /** The number of requests after which a client closes its connection and opens another one. Default: no limit. */
  readonly requestsPerConnection?: number
}

const request = 'GET /pid HTTP/1.1\r\nHost: localhost\r\n\r\n'
const complete = /^HTTP\/1\.1 200 [^]*?\r\n\r\n(\d+)$/

interface Exchange {
  readonly pid: number
  readonly isLast: boolean
}

/** Sends a request and resolves to its response. Rejects if the connection is closed before. */
const exchange = (socket: Socket): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    let received = ''
    const onClose = (): void => reject(new Error(`closed after ${received.length} bytes`))
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1]
      const [, pid = ''] = complete.exec(received) ?? []
      if (length === undefined || pid.length !== Number(length)) return
      socket.off('data', onData).off('close', onClose)
      resolve({ pid: Number(pid), isLast: /\r\nconnection: close\r\n/i.test(received) })
    }
    socket.on('data', onData).on('close', onClose)
    socket.write(request)
  })

/** Opens a connection. Rejects if it cannot be opened, or if a TLS handshake fails. */
const open = async ({ protocol, hostname, port }: URL): Promise<Socket> => {
  const options = { host: hostname, port: Number(port) }
  const isEncrypted = protocol === 'https:'
  const socket = isEncrypted
    ? connectTls({ ...options, rejectUnauthorized: false })
    : connect(options)
  await once(socket, isEncrypted ? 'secureConnect' : 'connect')
  return socket.on('error', () => undefined)
}

/** Starts clients that send requests to a server. */
export const startLoad = (url: string, options: LoadOptions): Tally => {
  const { clients, reconnects, endsWithServer, requestsPerConnection = Infinity } = options
  const lost: LostRequest[] = []
  const pids = new Set<number>()
  let responses = 0
  let connections = 0
  const stopping = new AbortController()
  const isNotListening = (error: unknown): boolean =>
    endsWithServer === true &&
    error instanceof Error &&
    Reflect.get(error, 'code') === 'ECONNREFUSED'

  /** Uses one connection. Resolves when it has ended. */
  const useConnection = async (): Promise<void> => {
    let pid: number | undefined
    let socket: Socket | undefined
    try {
      socket = await open(new URL(url))
      connections++
      for (let count = 0; count < requestsPerConnection && !stopping.signal.aborted; count++) {
        const response = await exchange(socket)
        pid = response.pid
        pids.add(pid)
        responses++
        if (response.isLast) break
      }
    } catch (error) {
      if (isNotListening(error)) stopping.abort()
      else lost.push({ pid, reason: String(error) })
    } finally {
      socket?.destroy()
    }
  }
  const client = async (): Promise<void> => {
    await useConnection()
    if (reconnects && !stopping.signal.aborted) await client()
  }
  const ended = Promise.all(Array.from({ length: clients }, client))
  return {
    lost,
    responses: () => responses,
    pids,
    connections: () => connections,
    stop: async () => {
      stopping.abort()
      await ended
    },
    ended,
  }
}
