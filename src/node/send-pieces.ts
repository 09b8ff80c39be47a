/**
 * Sends content in pieces, as fast as the client takes them: the next is asked for when the connection has handed on the one
 * before. Behind a large piece the event loop turns once, because a source that never waits would leave nobody else a turn:
 * where the client is fast, the system takes everything at once.
 */
import type { ServerResponse } from 'node:http'
import type { Pieces } from '../interpreter/pieces.ts'

/** Octets that may be handed on without a turn of the event loop. */
const small = 16 * 1024

export interface Sending {
  /** Ends a response of which everything was sent. */
  readonly end: () => void
  /** Has something done when the response is over, at once when it is. */
  readonly onClose: (then: () => void) => void
}

/** Sends all pieces, behind a head that is written. A response whose content breaks off is cut, so that it cannot pass for whole. */
export const sendPieces = (response: ServerResponse, pieces: Pieces, over: Sending): void => {
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    pieces.close()
  }
  // what was written before leaves with the end of this turn
  const cut = (): void => {
    close()
    setImmediate(() => response.destroy())
  }
  const ask = (): void => {
    if (isOpen) pieces.next().then(take).catch(cut)
  }
  const take = ({ done, value }: IteratorResult<string | Uint8Array, unknown>): void => {
    if (!isOpen) return
    if (done === true) {
      close()
      return over.end()
    }
    const octets = typeof value === 'string' ? Buffer.from(value) : value
    if (octets.length === 0) return ask()
    const isTaken = response.write(octets, (error) => {
      if (error === null || error === undefined) pieces.free?.(octets)
    })
    if (!isTaken) response.once('drain', () => setImmediate(ask))
    else if (octets.length < small) ask()
    else setImmediate(ask)
  }
  over.onClose(close)
  ask()
  // a head does not wait for content that is slow to come
  setImmediate(() => {
    if (isOpen) response.flushHeaders()
  })
}
