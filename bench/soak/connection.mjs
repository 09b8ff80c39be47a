/**
 * A client connection for one request at a time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { parse } from '../load/http-message.mjs'

/** @typedef {{ readonly status: number, readonly text: string }} ReceivedResponse */

/**
 * @typedef {object} Connection
 * @property {(message: string) => Promise<ReceivedResponse>} send
 * @property {() => Promise<void>} waitForClose throws if the server does not close in time
 * @property {(message: string, reset: boolean) => Promise<void>} abortRequest sends a partial request and closes or resets the connection
 * @property {(message: string) => Promise<void>} abortResponse sends requests and closes when the first response begins
 * @property {() => Promise<void>} close
 */

/** Time without received data after which a request fails. */
const idleTimeoutMilliseconds = 10_000

/** @type {(origin: URL) => Promise<Connection>} */
export const open = async ({ hostname, port }) => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setEncoding('latin1')
  socket.setTimeout(idleTimeoutMilliseconds, () => socket.destroy(new Error('timeout')))
  let received = ''
  /** @type {Error | undefined} */
  let failure
  /** Called after each event on the socket. @type {() => void} */
  let onProgress = () => {}
  /** @type {(error?: Error) => void} */
  const fail = (error) => {
    failure = error ?? failure ?? new Error('the connection was closed')
    onProgress()
  }
  const end = once(socket, 'close').catch(() => {})
  socket.on('data', (/** @type {string} */ chunk) => {
    received += chunk
    onProgress()
  })
  socket.on('error', fail)
  socket.on('close', () => fail())
  await once(socket, 'connect')

  /** @type {Connection['send']} */
  const send = (message) =>
    new Promise((resolve, reject) => {
      if (received !== '') throw new Error(`unexpected data\n${received.slice(0, 400)}`)
      onProgress = () => {
        const response = received === '' ? undefined : parse(received)
        if (response !== undefined) {
          const text = received.slice(0, response.length)
          received = received.slice(response.length)
          onProgress = () => {}
          resolve({ status: response.status, text })
        } else if (failure !== undefined) reject(failure)
      }
      socket.write(message, 'latin1')
      onProgress()
    })
  return {
    send,
    waitForClose: async () => {
      await end
      if (failure?.message === 'timeout') throw new Error('the server did not close the connection')
    },
    abortRequest: (message, reset) =>
      new Promise((resolve) => {
        socket.write(message, 'latin1', () => {
          if (reset) socket.resetAndDestroy()
          else socket.destroy()
          resolve(end.then(() => {}))
        })
      }),
    abortResponse: (message) =>
      new Promise((resolve, reject) => {
        onProgress = () => {
          onProgress = () => {}
          socket.destroy()
          if (received.startsWith('HTTP/1.1 200 ')) resolve(end.then(() => {}))
          else reject(failure ?? new Error(received.slice(0, 400)))
        }
        socket.write(message, 'latin1')
      }),
    close: async () => {
      socket.end()
      await end
    },
  }
}
