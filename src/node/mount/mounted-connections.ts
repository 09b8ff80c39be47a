/** The connections on which a mounted route tree has received requests. The other server accepts and closes them. */
import type { Socket } from 'node:net'
import { halfCloseListener } from '../connection/connection-end.ts'
import { monitorBodyRate } from '../connection/slow-connections.ts'
import type { InFlightRequest, InFlightRequests } from '../connection/in-flight-requests.ts'
import { trackRequests } from '../connection/in-flight-requests.ts'
import { createClientErrorHandler, slowBodyError } from '../connection/parser-failure.ts'
import { omitEmptyChunk } from '../internals.ts'
import { until } from '../shutdown/graceful-shutdown.ts'

export class MountedConnections {
  readonly inFlight: InFlightRequests = trackRequests()
  /** The number of bytes that each connection had received at the latest check. */
  readonly #sockets = new Map<Socket, number>()
  readonly #timer: NodeJS.Timeout | undefined

  readonly #onEnd: (this: Socket) => void

  /**
   * `minBodyRate` is the minimum rate of request bodies, in bytes per second, or `0` for no minimum. `halfCloseTimeout` applies if the
   * other server keeps half-closed connections open.
   */
  constructor(minBodyRate: number, halfCloseTimeout: number) {
    this.#onEnd = halfCloseListener(halfCloseTimeout, this.inFlight.pending)
    const onClientError = createClientErrorHandler(this.inFlight, () => [])
    const rate = monitorBodyRate(minBodyRate, this.inFlight.latest, (socket) =>
      onClientError(slowBodyError(), socket),
    )
    if (rate !== undefined)
      this.#timer = setInterval(() => {
        const now = performance.now()
        for (const [socket, bytesBefore] of this.#sockets) {
          rate.check(socket, now, bytesBefore)
          this.#sockets.set(socket, socket.bytesRead)
        }
      }, rate.interval).unref()
  }

  /**
   * Adds a request. `isFirst` is `true` if the responses to all earlier requests on the connection have ended. Returns `false` if the
   * connection does not accept further requests.
   */
  add(socket: Socket, request: InFlightRequest, isFirst: boolean): boolean {
    const { inFlight } = this
    const previous = isFirst ? undefined : inFlight.latest(socket)
    if (!inFlight.add(socket, request, isFirst)) return false
    previous?.onNextRequest()
    if (this.#sockets.has(socket)) return true
    this.#sockets.set(socket, socket.bytesRead)
    omitEmptyChunk(socket)
    socket.once('end', this.#onEnd)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      inFlight.latest(socket)?.onDisconnect()
    })
    return true
  }

  /**
   * Waits until no request is in flight. Destroys the connections with requests that are still in flight after `timeout`
   * milliseconds, and resolves to their number.
   */
  async drain(timeout: number): Promise<number> {
    await until(() => this.#busy().length === 0, performance.now() + timeout)
    const busy = this.#busy()
    for (const socket of busy) socket.destroy()
    clearInterval(this.#timer)
    return busy.length
  }

  #busy(): ReadonlyArray<Socket> {
    return [...this.#sockets.keys()].filter((socket) => this.inFlight.pending(socket).length > 0)
  }
}
