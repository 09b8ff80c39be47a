/** Starts the server of the worker benchmarks and sends requests to it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

/** @type {(settings: Readonly<Record<string, unknown>>) => Promise<{ readonly url: string, readonly log: readonly string[], readonly close: () => Promise<unknown> }>} */
export const start = async (settings) => {
  const child = fork(fileURLToPath(new URL('serve.mjs', import.meta.url)), [
    JSON.stringify(settings),
  ])
  /** @type {string[]} */
  const log = []
  const url = await new Promise((resolve, reject) => {
    child.on('message', (/** @type {any} */ { url, message }) =>
      url === undefined ? log.push(message) : resolve(url),
    )
    child.once('exit', reject)
  })
  return {
    url,
    log,
    close: () => {
      const closed = once(child, 'exit')
      child.send('close')
      return closed
    },
  }
}

export const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Sends a GET request. Returns the status, the body and the duration in milliseconds. @type {(url: string) => Promise<{ readonly status: number, readonly text: string, readonly duration: number }>} */
export const send = (url) =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const outgoing = request(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, duration: performance.now() - begin }),
      )
    })
    outgoing.on('error', reject)
    outgoing.setTimeout(30_000, () => outgoing.destroy(new Error('no response within 30 s')))
    outgoing.end()
  })
