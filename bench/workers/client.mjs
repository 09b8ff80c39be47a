/** What the programs of this folder have in common: a server in a process of its own, and requests to it. */
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

/** Status and content, and how many milliseconds they took. @type {(url: string) => Promise<{ readonly status: number, readonly text: string, readonly took: number }>} */
export const ask = (url) =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const sent = request(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => (text += piece))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, took: performance.now() - begin }),
      )
    })
    sent.on('error', reject)
    sent.setTimeout(30_000, () => sent.destroy(new Error('no answer in 30 s')))
    sent.end()
  })
