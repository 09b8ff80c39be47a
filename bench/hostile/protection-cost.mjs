/**
 * Measures the cost of the default protections: CPU time per request for a plain text with and without them. Both servers run
 * in one process and are used in turn, because two processes with the same code can differ by several percent. As a
 * script, it prints the ratio: `node hostile/protection-cost.mjs [ROUNDS] [REQUESTS]`.
 */
import { pathToFileURL } from 'node:url'
import { median, ratios } from '../support/statistics.mjs'
import { startChild } from './child-process.mjs'

const connections = 64

/** Returns the CPU microseconds of the server process. @type {(url: string) => Promise<number>} */
const cpuMicroseconds = async (url) => Number(await (await fetch(`${url}/usage`)).text())

/** Returns the CPU microseconds per request. @type {(url: string, count: number) => Promise<number>} */
const measure = async (url, count) => {
  const task = { url, target: '/plaintext', count, connections }
  const load = await startChild('request-generator.mjs', { HOSTILE_TASK: JSON.stringify(task) })
  const before = await cpuMicroseconds(url)
  await load.nextLine()
  const after = await cpuMicroseconds(url)
  await load.stop()
  return (after - before) / count
}

/**
 * @typedef {object} Cost
 * @property {number} ratio CPU time per request with the protections, divided by that without them: median of the rounds
 * @property {number} withProtections microseconds per request, median
 * @property {number} withoutProtections
 */

/** @type {(rounds?: number, count?: number) => Promise<Cost>} */
export const measureProtectionCost = async (rounds = 31, count = 20_000) => {
  const server = await startChild('protection-server.mjs', {})
  const urls = server.firstLine.split(' ')
  /** @type {[number[], number[]]} */
  const figures = [[], []]
  try {
    for (const url of [...urls, ...urls]) await measure(url, count)
    for (let round = 0; round < rounds; round++)
      // alternates the order
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0])
        figures[index]?.push(await measure(urls[index] ?? '', count))
  } finally {
    await server.stop()
  }
  const [protectedCosts, unprotectedCosts] = figures
  return {
    ratio: median(ratios(protectedCosts, unprotectedCosts)),
    withProtections: median(protectedCosts),
    withoutProtections: median(unprotectedCosts),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , rounds = '31', count = '20000'] = process.argv
  const cost = await measureProtectionCost(Number(rounds), Number(count))
  console.log(
    `with protections ${cost.withProtections.toFixed(2)} µs, without ${cost.withoutProtections.toFixed(2)} µs per request, ratio ${cost.ratio.toFixed(3)}`,
  )
}
