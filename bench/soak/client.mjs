/**
 * A client that sends one request at a time and opens connections on demand.
 *
 * @import { Connection } from './connection.mjs'
 * @import { Kind } from './request-kinds.mjs'
 */
import { format } from '../load/http-message.mjs'
import { open } from './connection.mjs'

/** Number of requests before a disconnect, whose responses exceed the socket buffers. */
const pipelined = 4

/**
 * @typedef {object} Client
 * @property {(kind: Kind, n: number) => Promise<void>} send throws if the response is unexpected
 * @property {() => Promise<void>} close
 */

/** Returns the offset of the middle of the body. @type {(message: string) => number} */
const middle = (message) => {
  const body = message.indexOf('\r\n\r\n') + 4
  return body + Math.floor((message.length - body) / 2)
}

/** @type {(kind: Kind, n: number, connection: Connection, message: string) => Promise<void>} */
const exchange = async ({ status, mentions }, n, connection, message) => {
  const response = await connection.send(message)
  if (response.status !== status || !response.text.includes(mentions(n)))
    throw new Error(`expected ${status} with ${mentions(n)}, got\n${response.text.slice(0, 400)}`)
}

/**
 * Sends a message according to its mode. Returns whether the connection can be reused.
 *
 * @type {(kind: Kind, n: number, connection: Connection, message: string) => Promise<boolean>}
 */
const sendByMode = async (kind, n, connection, message) => {
  switch (kind.mode) {
    case 'keep-alive':
      await exchange(kind, n, connection, message)
      return true
    case 'close':
    case 'malformed':
      await exchange(kind, n, connection, message)
      await connection.waitForClose()
      return false
    case 'http-1.0':
      await exchange(kind, n, connection, message.replace('HTTP/1.1', 'HTTP/1.0'))
      await connection.waitForClose()
      return false
    case 'abort-request':
      await connection.abortRequest(message.slice(0, middle(message)), n % 2 === 0)
      return false
    case 'abort-response':
      await connection.abortResponse(message.repeat(pipelined))
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
      const reusable = await sendByMode(kind, n, connection, format(kind.request(n), origin.host))
      if (!reusable) connection = undefined
    },
    close: async () => {
      await connection?.close()
      connection = undefined
    },
  }
}
