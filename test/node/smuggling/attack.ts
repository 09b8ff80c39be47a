/** Sends a smuggling payload through a proxy, and detects whether a request was smuggled, or responses were mixed up. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { head } from '../../support/raw.ts'

/** A request that a server has handled. */
export interface HandledRequest {
  readonly method: string
  /** Path and query, as received. */
  readonly target: string
  /** The target that the proxy has forwarded, or `undefined` if the request does not come from the proxy. */
  readonly proxied: string | undefined
}

/** Formats the body of a response. It names the request. */
export const bodyFor = (target: string): string => `<<${target}>>`

/** Time, in milliseconds, without received data after which a connection is given up. */
const silence = 120

/** Maximum number of attempts to send a normal request, because a proxy may use a connection that the server is closing. */
const attempts = 4

const innocent = (id: string): string => head(`GET /innocent?id=${id} HTTP/1.1`, 'Host: a.example')

/** A connection to a proxy that collects the received text. */
interface Client {
  readonly socket: Socket
  /** Waits until a text has been received, the connection has closed, or no data arrives. Returns everything received. */
  readonly receive: (text: string, patience: number) => Promise<string>
}

const open = async (path: string): Promise<Client> => {
  const socket = connect({ path })
  let received = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  await once(socket, 'connect')
  return {
    socket,
    receive: async (text, patience) => {
      let deadline = performance.now() + patience
      let length = 0
      while (!socket.closed && !received.includes(text) && performance.now() < deadline) {
        await wait(2)
        if (received.length > length) deadline = performance.now() + patience
        length = received.length
      }
      return received
    },
  }
}

/** The targets of the requests that responses belong to. */
const targetsIn = (received: string): ReadonlyArray<string> =>
  [...received.matchAll(/<<(.*?)>>/g)].map(([, target = '']) => target)

/**
 * Sends a payload and a normal request on one connection, and then a normal request on another connection. Returns a description of
 * each violation: a request that the proxy has not forwarded as a request of its own, or a response to another request.
 *
 * `handled` contains the requests that the server has handled.
 */
export const attack = async (
  path: string,
  handled: ReadonlyArray<HandledRequest>,
  id: string,
  message: string,
): Promise<ReadonlyArray<string>> => {
  const violations: string[] = []
  const first = await open(path)
  const follower = `/innocent?id=${id}-follower`
  first.socket.write(message, 'latin1')
  first.socket.write(innocent(`${id}-follower`), 'latin1')
  const received = await first.receive(bodyFor(follower), silence)
  violations.push(...(await sendOther(path, `${id}-other`)))
  first.socket.destroy()

  const own = handled.filter(({ target, proxied = '' }) => `${target} ${proxied}`.includes(id))
  for (const { method, target, proxied } of own)
    if (target !== proxied)
      violations.push(
        `handled ${method} ${target}, but the proxy forwarded ${proxied ?? 'nothing'}`,
      )
  // the responses that the client may receive: those to the requests that the proxy has forwarded, in their order
  const expected = own.map(({ proxied }) => proxied)
  let at = 0
  for (const target of targetsIn(received)) {
    const found = expected.indexOf(target, at)
    if (found < 0) violations.push(`mixed up: the response to ${target}`)
    else at = found + 1
  }
  return violations
}

/** Sends a normal request on a connection of its own. */
const sendOther = async (path: string, id: string): Promise<ReadonlyArray<string>> => {
  const expected = `/innocent?id=${id}`
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { socket, receive } = await open(path)
    socket.write(innocent(id), 'latin1')
    const received = await receive(bodyFor(expected), 5000)
    socket.destroy()
    const others = targetsIn(received).filter((target) => target !== expected)
    if (others.length > 0) return [`mixed up: another client received ${others.join(', ')}`]
    if (received.startsWith('HTTP/1.1 200 ') && received.includes(bodyFor(expected))) return []
  }
  return ['another client received no response']
}
