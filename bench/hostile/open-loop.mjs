/** Requests at a fixed rate, whether or not the ones before them are answered. */
import { setMaxListeners } from 'node:events'
import { Agent, get } from 'node:http'

/**
 * A response: when its request was due, how long after that it was complete, and its status. The status is 0 if the
 * connection failed.
 *
 * @typedef {object} Timed
 * @property {number} due milliseconds since the beginning
 * @property {number} latency milliseconds
 * @property {number} status
 */

/** Connections that may be open at the same time. */
const maxSockets = 512

/** For the responses that are missing when the time is over. */
const graceMilliseconds = 10_000

/** @type {(url: string, signal: AbortSignal, agent: Agent) => Promise<number>} */
const send = (url, signal, agent) =>
  new Promise((resolve) => {
    const request = get(url, { agent, signal }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0))
    })
    request.on('error', () => resolve(0))
  })

/** @type {(url: string, rate: number, seconds: number) => Promise<readonly Timed[]>} */
export const openLoop = async (url, rate, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const begin = performance.now()
  const signal = AbortSignal.timeout(seconds * 1_000 + graceMilliseconds)
  setMaxListeners(0, signal)
  /** @type {Promise<Timed>[]} */
  const all = []
  await new Promise((resolve) => {
    const turn = () => {
      const elapsed = performance.now() - begin
      const due = Math.min(rate * seconds, Math.floor((elapsed * rate) / 1_000))
      while (all.length < due) {
        const at = (all.length * 1_000) / rate
        all.push(
          send(url, signal, agent).then((status) => ({
            due: at,
            latency: performance.now() - begin - at,
            status,
          })),
        )
      }
      if (elapsed < seconds * 1_000) setTimeout(turn, 1)
      else resolve(undefined)
    }
    turn()
  })
  const responses = await Promise.all(all)
  agent.destroy()
  return responses
}

/** How many responses a second a number of connections gets that always wait for one. @type {(url: string, connections: number, seconds: number) => Promise<number>} */
export const capacity = async (url, connections, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const signal = AbortSignal.timeout(60_000)
  setMaxListeners(0, signal)
  const end = performance.now() + seconds * 1_000
  let count = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) if ((await send(url, signal, agent)) === 200) count++
    }),
  )
  agent.destroy()
  return count / seconds
}
