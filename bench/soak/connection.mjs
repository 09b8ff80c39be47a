/**
 * A connection that carries one request at a time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { parse } from '../load/http-message.mjs'

/** @typedef {{ readonly status: number, readonly text: string }} Answer */

/**
 * @typedef {object} Connection
 * @property {(message: string) => Promise<Answer>} ask
 * @property {() => Promise<void>} closed throws when the server does not close in time
 * @property {(message: string, reset: boolean) => Promise<void>} abandon sends, and breaks off
 * @property {(message: string) => Promise<void>} leave sends, and breaks off when an answer begins
 * @property {() => Promise<void>} close
 */

/** An answer that has not come for so long never comes. */
const longestSilenceMilliseconds = 10_000

/** @type {(origin: URL) => Promise<Connection>} */
export const open = async ({ hostname, port }) => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setEncoding('latin1')
  socket.setTimeout(longestSilenceMilliseconds, () => socket.destroy(new Error('silence')))
  let received = ''
  /** @type {Error | undefined} */
  let fault
  /** Looks whether what is awaited has come. @type {() => void} */
  let look = () => {}
  /** @type {(error?: Error) => void} */
  const over = (error) => {
    fault = error ?? fault ?? new Error('the connection was closed')
    look()
  }
  const end = once(socket, 'close').catch(() => {})
  socket.on('data', (/** @type {string} */ chunk) => {
    received += chunk
    look()
  })
  socket.on('error', over)
  socket.on('close', () => over())
  await once(socket, 'connect')

  /** @type {Connection['ask']} */
  const ask = (message) =>
    new Promise((resolve, reject) => {
      if (received !== '') throw new Error(`nobody asked for\n${received.slice(0, 400)}`)
      look = () => {
        const answer = received === '' ? undefined : parse(received)
        if (answer !== undefined) {
          const text = received.slice(0, answer.length)
          received = received.slice(answer.length)
          look = () => {}
          resolve({ status: answer.status, text })
        } else if (fault !== undefined) reject(fault)
      }
      socket.write(message, 'latin1')
      look()
    })
  return {
    ask,
    closed: async () => {
      await end
      if (fault?.message === 'silence') throw new Error('the server did not close')
    },
    abandon: (message, reset) =>
      new Promise((resolve) => {
        socket.write(message, 'latin1', () => {
          if (reset) socket.resetAndDestroy()
          else socket.destroy()
          resolve(end.then(() => {}))
        })
      }),
    leave: (message) =>
      new Promise((resolve, reject) => {
        look = () => {
          look = () => {}
          socket.destroy()
          if (received.startsWith('HTTP/1.1 200 ')) resolve(end.then(() => {}))
          else reject(fault ?? new Error(received.slice(0, 400)))
        }
        socket.write(message, 'latin1')
      }),
    close: async () => {
      socket.end()
      await end
    },
  }
}
