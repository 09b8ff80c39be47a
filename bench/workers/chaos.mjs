/**
 * Terminates workers 200 times, in five ways, while 20,000 requests run.
 *
 * Exits with 1 unless every request gets its own response, at least 99 % of the other jobs succeed, and the pool recovers
 * within a second.
 *
 * `node bench/workers/chaos.mjs [requests] [kills]`, after `npm run build`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { kinds } from './api.mjs'
import { agent, send, start } from './client.mjs'

const requests = Number(process.argv[2] ?? 20_000)
const kills = Number(process.argv[3] ?? 200)
/** Milliseconds between two terminations. */
const pause = 250
/** Milliseconds to wait for the pool to recover. */
const recoveryTimeout = 10_000
const clients = 8

/** @type {Map<string, number>} */
const counts = new Map()
/** @type {(result: string) => void} */
const count = (result) => void counts.set(result, (counts.get(result) ?? 0) + 1)

const server = await start({
  'fw.worker.threads': 4,
  'fw.worker.timeout': 1000,
  'fw.worker.heap': '32M',
})
const begin = performance.now()
let next = 0
let mismatched = 0

/** Sends the remaining requests one after the other, spread over the duration of the test. */
const client = async () => {
  while (next < requests - kills) {
    const number = next++
    const due = begin + (number / (requests - kills)) * kills * pause
    if (due > performance.now()) await sleep(due - performance.now())
    const heavy = number % 2 === 0
    const { status, text } = await send(
      `${server.url}/${heavy ? 'heavy/1' : 'light'}?as=${number}`,
    ).catch((error) => ({ status: 0, text: String(error) }))
    if (status === 200 && text !== String(number)) mismatched++
    count(`${heavy ? 'heavy' : 'light'} ${status === 0 ? text : status}`)
  }
}

const killer = async () => {
  /** @type {Promise<void>[]} */
  const killed = []
  for (let number = 0; number < kills; number++) {
    const how = kinds[number % kinds.length]
    killed.push(
      send(`${server.url}/kill/${how}`).then(
        ({ status }) => count(`kill ${how} ${status}`),
        (error) => count(`kill ${how} ${error}`),
      ),
    )
    await sleep(pause)
  }
  await Promise.all(killed)
}

await Promise.all([killer(), ...Array.from({ length: clients }, client)])
const seconds = (performance.now() - begin) / 1000
const end = performance.now()
let hasRecovered = false
while (!hasRecovered && performance.now() - end < recoveryTimeout) {
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => send(`${server.url}/heavy/20`)),
  )
  hasRecovered = responses.every(({ status }) => status === 200)
}
const recovered = performance.now() - end
agent.destroy()
await server.close()

const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
for (const [result, times] of rows) console.log(result.padEnd(24), times)
const total = rows.reduce((sum, [, times]) => sum + times, 0)
/** @type {(test: RegExp) => number} */
const sum = (test) =>
  rows.reduce((all, [result, times]) => (test.test(result) ? all + times : all), 0)
const share = sum(/^heavy 200/) / sum(/^heavy/)
const died = server.log.filter((line) =>
  /Worker exited unexpectedly|Replacing worker/.test(line),
).length
console.log(
  `${total} responses in ${seconds.toFixed(1)} s, ${died} workers lost; ${(100 * share).toFixed(2)} % of the other jobs succeeded; recovered after ${Math.round(recovered)} ms`,
)
const invalid = sum(/(?<! (?:200|500|503|504))$/)
if (total !== requests || invalid > 0 || mismatched > 0 || share < 0.99 || recovered > 1000) {
  console.log(
    `failed: ${invalid} without a valid response, ${mismatched} with the response of another request`,
  )
  process.exitCode = 1
}
