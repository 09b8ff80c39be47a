/**
 * What the protections that are on by default cost: processor time per request of a plain text with and without them, by two
 * servers in turn. Run directly, it prints the ratio: `node hostile/protection-cost.mjs [ROUNDS] [REQUESTS]`.
 */
import { pathToFileURL } from 'node:url'
import { processorSeconds } from '../processor.mjs'
import { median, ratios } from '../statistics.mjs'
import { startChild } from './child.mjs'

const connections = 64

const without = {
  'fw.http.overload.enabled': false,
  'fw.http.limits.max-connections': 'unbounded',
}

/** Microseconds of processor time per request. @type {(server: import('./child.mjs').Child, count: number) => Promise<number>} */
const measure = async (server, count) => {
  const before = processorSeconds(server.pid) ?? NaN
  const task = { url: server.firstLine, target: '/plaintext', count, connections }
  const load = await startChild('requests.mjs', { HOSTILE_TASK: JSON.stringify(task) })
  await load.nextLine()
  await load.stop()
  return (((processorSeconds(server.pid) ?? NaN) - before) * 1e6) / count
}

/**
 * @typedef {object} Cost
 * @property {number} ratio processor time per request with the protections, divided by that without them: median of the rounds
 * @property {number} withProtections microseconds per request, median
 * @property {number} withoutProtections
 */

/**
 * Every round has processes of its own: of two with the same code, one may be some percent faster for as long as it runs.
 *
 * @type {(rounds?: number, count?: number) => Promise<Cost>}
 */
export const measureProtectionCost = async (rounds = 21, count = 40_000) => {
  const environments = [{}, { HOSTILE_SETTINGS: JSON.stringify(without) }]
  /** @type {[number[], number[]]} */
  const figures = [[], []]
  for (let round = 0; round < rounds; round++) {
    const servers = []
    for (const environment of environments)
      servers.push(await startChild('overload-server.mjs', environment))
    try {
      for (const server of servers) await measure(server, count / 4)
      // which of them is first changes
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const server = servers[index]
        if (server !== undefined) figures[index]?.push(await measure(server, count))
      }
    } finally {
      for (const server of servers) await server.stop()
    }
  }
  const [having, bare] = figures
  return {
    ratio: median(ratios(having, bare)),
    withProtections: median(having),
    withoutProtections: median(bare),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , rounds = '21', count = '40000'] = process.argv
  const cost = await measureProtectionCost(Number(rounds), Number(count))
  console.log(
    `with protections ${cost.withProtections.toFixed(2)} µs, without ${cost.withoutProtections.toFixed(2)} µs per request, ratio ${cost.ratio.toFixed(3)}`,
  )
}
