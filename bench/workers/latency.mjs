/**
 * Measures the latency of a light operation without other load, with CPU-bound work on workers, and with the same work on the
 * main thread. Each run sends 100 light requests a second for ten seconds; two clients continuously request 50 ms of work.
 *
 * `node bench/workers/latency.mjs`, after `npm run build`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, send, start } from './client.mjs'

const seconds = 10
const rate = 100
const heavyClients = 2

/** @type {(sorted: readonly number[], part: number) => string} */
const quantile = (sorted, part) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN).toFixed(1)

/** @type {(heavy: string | undefined) => Promise<readonly string[]>} */
const run = async (heavy) => {
  const server = await start({ 'fw.loop.stall': 0 })
  for (let round = 0; round < 300; round++) await send(`${server.url}/light`)
  let busy = true
  let computed = 0
  const working = Array.from({ length: heavy === undefined ? 0 : heavyClients }, async () => {
    while (busy) {
      const { status } = await send(`${server.url}/${heavy}/50`)
      if (status === 200) computed++
      else await sleep(20)
    }
  })
  const begin = performance.now()
  /** @type {Promise<number>[]} */
  const pending = []
  for (let number = 0; number < seconds * rate; number++) {
    const due = begin + (1000 * number) / rate
    if (due > performance.now()) await sleep(due - performance.now())
    // measured from the due time, so that a delay of the client does not hide a delay of the server
    pending.push(send(`${server.url}/light`).then(() => performance.now() - Math.max(due, begin)))
  }
  const sorted = (await Promise.all(pending)).toSorted((a, b) => a - b)
  const elapsed = (performance.now() - begin) / 1000
  busy = false
  await Promise.all(working)
  await server.close()
  return [
    ...[0.5, 0.99, 0.999].map((part) => quantile(sorted, part)),
    (computed / elapsed).toFixed(1),
  ]
}

console.log(
  'light operation, ms'.padEnd(28),
  ['p50', 'p99', 'p99.9', 'heavy/s'].map((text) => text.padStart(9)).join(''),
)
for (const [name, heavy] of /** @type {const} */ ([
  ['alone', undefined],
  ['with work on workers', 'heavy'],
  ['with work on main thread', 'in-place'],
]))
  console.log(name.padEnd(28), (await run(heavy)).map((text) => text.padStart(9)).join(''))
agent.destroy()
