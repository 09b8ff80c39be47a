/**
 * Chaos: kills workers in five ways, 200 times, while 20,000 requests run. Ends with 1 unless every request has exactly one
 * answer of its own, those that killed nobody nearly all succeed, and the pool is back within a second.
 *
 * `node bench/workers/chaos.mjs [requests] [kills]`, after `npm run build`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { kinds } from './api.mjs'
import { agent, ask, start } from './client.mjs'

const requests = Number(process.argv[2] ?? 20_000)
const kills = Number(process.argv[3] ?? 200)
/** Milliseconds between two kills: four in a second. */
const pause = 250
/** Milliseconds after which a pool that is not back never will be. */
const patience = 10_000
const clients = 8

/** @type {Map<string, number>} */
const counts = new Map()
/** @type {(what: string) => void} */
const count = (what) => void counts.set(what, (counts.get(what) ?? 0) + 1)

const server = await start({
  'fw.worker.threads': 4,
  'fw.worker.timeout': 1000,
  'fw.worker.heap': '32M',
})
const begin = performance.now()
let next = 0
let wrong = 0

/** Sends what is left, one request after the other, spread over the time that the kills take. */
const client = async () => {
  while (next < requests - kills) {
    const number = next++
    const due = begin + (number / (requests - kills)) * kills * pause
    if (due > performance.now()) await sleep(due - performance.now())
    const heavy = number % 2 === 0
    const { status, text } = await ask(
      `${server.url}/${heavy ? 'heavy/1' : 'light'}?as=${number}`,
    ).catch((error) => ({ status: 0, text: String(error) }))
    if (status === 200 && text !== String(number)) wrong++
    count(`${heavy ? 'heavy' : 'light'} ${status === 0 ? text : status}`)
  }
}

const killer = async () => {
  /** @type {Promise<void>[]} */
  const killed = []
  for (let number = 0; number < kills; number++) {
    const how = kinds[number % kinds.length]
    killed.push(
      ask(`${server.url}/kill/${how}`).then(
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
const back = performance.now()
let isBack = false
while (!isBack && performance.now() - back < patience) {
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(`${server.url}/heavy/20`)))
  isBack = answers.every(({ status }) => status === 200)
}
const recovered = performance.now() - back
agent.destroy()
await server.close()

const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
for (const [what, times] of rows) console.log(what.padEnd(24), times)
const total = rows.reduce((sum, [, times]) => sum + times, 0)
/** @type {(test: RegExp) => number} */
const sum = (test) => rows.reduce((all, [what, times]) => (test.test(what) ? all + times : all), 0)
const share = sum(/^heavy 200/) / sum(/^heavy/)
const died = server.log.filter((line) => /A worker has died|is replaced/.test(line)).length
console.log(
  `${total} answers in ${seconds.toFixed(1)} s, ${died} workers lost; ${(100 * share).toFixed(2)} % of the jobs of others succeeded; back after ${Math.round(recovered)} ms`,
)
const foreign = sum(/(?<! (?:200|500|503|504))$/)
if (total !== requests || foreign > 0 || wrong > 0 || share < 0.99 || recovered > 1000) {
  console.log(`failed: ${foreign} without a proper answer, ${wrong} with that of another`)
  process.exitCode = 1
}
