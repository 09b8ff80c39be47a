/**
 * What a light operation waits while heavy ones compute: beside nothing, beside heavy work on workers, and beside the same
 * work in place. 100 light requests a second, for ten seconds each; two clients ask for 50 ms of computing without a pause.
 *
 * `node bench/workers/latency.mjs`, after `npm run build`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, ask, start } from './client.mjs'

const seconds = 10
const rate = 100
const heavyClients = 2

/** @type {(sorted: readonly number[], part: number) => string} */
const quantile = (sorted, part) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN).toFixed(1)

/** @type {(heavy: string | undefined) => Promise<readonly string[]>} */
const run = async (heavy) => {
  const server = await start({ 'fw.loop.stall': 0 })
  for (let round = 0; round < 300; round++) await ask(`${server.url}/light`)
  let busy = true
  let computed = 0
  const working = Array.from({ length: heavy === undefined ? 0 : heavyClients }, async () => {
    while (busy) {
      const { status } = await ask(`${server.url}/${heavy}/50`)
      if (status === 200) computed++
      else await sleep(20)
    }
  })
  const begin = performance.now()
  /** @type {Promise<number>[]} */
  const asked = []
  for (let number = 0; number < seconds * rate; number++) {
    const due = begin + (1000 * number) / rate
    if (due > performance.now()) await sleep(due - performance.now())
    // from when it was due: a client that is held up must not make the server look better
    asked.push(ask(`${server.url}/light`).then(() => performance.now() - Math.max(due, begin)))
  }
  const sorted = (await Promise.all(asked)).toSorted((a, b) => a - b)
  const took = (performance.now() - begin) / 1000
  busy = false
  await Promise.all(working)
  await server.close()
  return [...[0.5, 0.99, 0.999].map((part) => quantile(sorted, part)), (computed / took).toFixed(1)]
}

console.log(
  'light operation, ms'.padEnd(28),
  ['p50', 'p99', 'p99.9', 'heavy/s'].map((text) => text.padStart(9)).join(''),
)
for (const [name, heavy] of /** @type {const} */ ([
  ['alone', undefined],
  ['beside work on workers', 'heavy'],
  ['beside the same in place', 'in-place'],
]))
  console.log(name.padEnd(28), (await run(heavy)).map((text) => text.padStart(9)).join(''))
agent.destroy()
