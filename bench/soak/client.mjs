/**
 * A client that sends requests one by one, and opens a connection whenever it has none.
 *
 * @import { Connection } from './connection.mjs'
 * @import { Kind } from './request-kinds.mjs'
 */
import { format } from '../load/http-message.mjs'
import { open } from './connection.mjs'

/** Requests sent at once that are broken off: more than the system buffers. */
const atOnce = 4

/**
 * @typedef {object} Client
 * @property {(kind: Kind, n: number) => Promise<void>} send throws when the answer is wrong
 * @property {() => Promise<void>} close
 */

/** Where the middle of the body is. @type {(message: string) => number} */
const middle = (message) => {
  const body = message.indexOf('\r\n\r\n') + 4
  return body + Math.floor((message.length - body) / 2)
}

/** @type {(kind: Kind, n: number, connection: Connection, message: string) => Promise<void>} */
const exchange = async ({ status, mentions }, n, connection, message) => {
  const answer = await connection.ask(message)
  if (answer.status !== status || !answer.text.includes(mentions(n)))
    throw new Error(`not ${status} with ${mentions(n)}, but\n${answer.text.slice(0, 400)}`)
}

/**
 * Sends a message in its manner: whether the connection can be used again.
 *
 * @type {(kind: Kind, n: number, connection: Connection, message: string) => Promise<boolean>}
 */
const sendIn = async (kind, n, connection, message) => {
  switch (kind.manner) {
    case 'kept':
      await exchange(kind, n, connection, message)
      return true
    case 'closing':
    case 'malformed':
      await exchange(kind, n, connection, message)
      await connection.closed()
      return false
    case 'old':
      await exchange(kind, n, connection, message.replace('HTTP/1.1', 'HTTP/1.0'))
      await connection.closed()
      return false
    case 'abandoned':
      await connection.abandon(message.slice(0, middle(message)), n % 2 === 0)
      return false
    case 'left':
      await connection.leave(message.repeat(atOnce))
      return false
  }
}

/** @type {(origin: URL) => Client} */
export const client = (origin) => {
  /** @type {Connection | undefined} */
  let connection
  return {
    send: async (kind, n) => {
      connection ??= await open(origin)
      const reusable = await sendIn(kind, n, connection, format(kind.request(n), origin.host))
      if (!reusable) connection = undefined
    },
    close: async () => {
      await connection?.close()
      connection = undefined
    },
  }
}
