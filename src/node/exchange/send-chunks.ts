/**
 * Sends content in pieces, as fast as the client takes them: the next is asked for when the connection has handed on the one
 * before. After 16 KiB in one turn of the event loop, the next chunk counts against the turn budget of the server: a source that
 * never waits, sent to a client that is fast, would otherwise leave no time for other requests.
 */
import type { ServerResponse } from 'node:http'
import type { BodyMemory } from '../../interpreter/request-body/body-memory.ts'
import type { Pieces } from '../../interpreter/chunks.ts'
import { TurnBudget } from '../../interpreter/response/stream/turn-budget.ts'

/** Bytes that a response may send per turn of the event loop without regard to the turn budget, and what a chunk counts in addition to its own. */
const inOneTurn = 16 * 1024
const extra = 64

/** Bytes from which a write counts against the turn budget: the system copies 1 MB in about 0.3 ms. */
const large = 64 * 1024

/** Octets that may wait for the client before the next piece is asked for. With a full piece on top, they are less than 64 KiB. */
const mostWaiting = 4 * 1024

export interface SendOptions {
  /** Counts chunks that the client has not taken yet. */
  readonly memory: Pick<BodyMemory, 'add' | 'release'>
  /** Ends a response of which everything was sent. */
  readonly end: () => void
  /** Has something done when the response is over, at once when it is. */
  readonly onClose: (then: () => void) => void
  /** The turn budget of the server. Default: one of its own. */
  readonly budget?: TurnBudget
}

type Result = IteratorResult<string | Uint8Array, unknown>

/** Sends all pieces, behind a head that is written. A response whose content breaks off is cut, so that it cannot pass for whole. */
export const sendChunks = (response: ServerResponse, pieces: Pieces, over: SendOptions): void => {
  const { budget = new TurnBudget() } = over
  let isOpen = true
  /** What was sent in this turn of the event loop. */
  let sent = 0
  /** Bytes that wait for the client. */
  let held = 0
  const hold = (bytes: number): void => {
    held = bytes
    over.memory.add(held)
  }
  const letGo = (): void => {
    over.memory.release(held)
    held = 0
  }
  const close = (): void => {
    letGo()
    if (!isOpen) return
    isOpen = false
    pieces.close()
  }
  // what was written before leaves with the end of this turn
  const cut = (): void => {
    if (!isOpen) return
    close()
    setImmediate(() => breakOff(response, pieces))
  }
  const turned = (): void => {
    sent = 0
  }
  const ask = (): void => {
    if (isOpen) pieces.next().then(take).catch(cut)
  }
  const askInTime = (): void => {
    if (sent < inOneTurn || budget.canBegin()) ask()
    else budget.defer(ask)
  }
  const take = (result: Result): void | Promise<void> =>
    result.done !== true && result.value.length > large && !budget.hasTime()
      ? new Promise<void>((resolve) => budget.defer(resolve)).then(() => write(result))
      : write(result)
  const write = ({ done, value }: Result): void => {
    if (response.destroyed) close()
    if (!isOpen) return
    if (done === true) {
      close()
      return over.end()
    }
    const octets = typeof value === 'string' ? Buffer.from(value) : value
    if (sent === 0) setImmediate(turned)
    sent += octets.length + extra
    if (octets.length === 0) return askInTime()
    let isWaiting = false
    const hasRoom = response.write(octets, (error) => {
      if (error instanceof Error) return
      pieces.free?.(octets)
      if (!isWaiting) return
      letGo()
      askInTime()
    })
    isWaiting = !hasRoom || response.writableLength >= mostWaiting
    if (isWaiting) hold(octets.length)
    else askInTime()
  }
  over.onClose(close)
  ask()
  // a head does not wait for content that is slow to come
  setImmediate(() => {
    if (isOpen) response.flushHeaders()
  })
}

/**
 * Cuts a connection so that its client knows. Where nothing but the end of the connection ends the content, as in HTTP/1.0, an
 * orderly end would say that this was all (RFC 9112, 6.3), so the connection is reset.
 */
const breakOff = (response: ServerResponse, { length }: Pieces): void => {
  const { socket } = response
  // Node cannot reset a socket after `end`, and would never close it
  if (length === undefined && !response.chunkedEncoding && socket?.writableEnded === false)
    socket.resetAndDestroy()
  response.destroy()
}
