/**
 * What a call of the typed client costs beside a call by hand: the same requests over the same `fetch`, the same JSON read and
 * looked at. Each contestant has a process of its own, as a program has one or the other: in one process they would share the
 * compiled code of `fetch`, which then is for the shapes of several callers and for none in particular. They take turns, so that
 * what slows a round down slows all of them. Processes that run the same differ by up to a quarter for all their lives, so each
 * contestant begins anew several times. The service has a process as well, whose time does not count.
 *
 *     node client.mjs [--processes 9] [--rounds 2] [--calls 2000] [--publish]
 *
 * @import { Told } from './callers.mjs'
 */
import { deepStrictEqual } from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { caller } from './callers.mjs'
import { circumstances, sharing } from './circumstances.mjs'
import { pinning } from './pin.mjs'
import { start } from './process.mjs'
import { publish } from './readme.mjs'
import { median, ratios, rotated } from './statistics.mjs'
import { table } from './table.mjs'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '9' },
    rounds: { type: 'string', default: '2' },
    calls: { type: 'string', default: '2000' },
    publish: { type: 'boolean', default: false },
  },
})
const processes = Number(values.processes)
const rounds = Number(values.rounds)
const calls = Number(values.calls)

/** Calls before the first that count, so that the code is compiled. */
const warmUp = 4_000

const doors = {
  global: 'global `fetch`',
  undici: 'undici `fetch`',
  request: 'undici `request`',
}

const hows = ['hand', 'client', 'handLimited', 'clientLimited']

/** How many times as much, in percent more. @type {(ratio: number) => string} */
const more = (ratio) => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(1)} %`

const about = circumstances()
const { origin, stop } = await start({ name: 'service', title: 'node:http' }, 1)
/** @type {string[][]} */
const rows = []
for (const what of /** @type {const} */ (['find', 'list', 'add'])) {
  const ways = Object.keys(doors).flatMap((door) => hows.map((how) => `${door}/${how}`))
  const costs = new Map(ways.map((way) => [way, /** @type {Told[]} */ ([])]))
  for (let time = 0; time < processes; time++) {
    const callers = ways.map((way) => ({ way, ...caller(way, origin) }))
    try {
      /** @type {unknown[]} */
      const given = []
      for (const { call } of callers) given.push((await call({ what, calls: warmUp })).value)
      for (const value of given) deepStrictEqual(value, given[0])
      for (let round = 0; round < rounds; round++)
        for (const { way, call } of rotated(callers, time + round))
          costs.get(way)?.push(await call({ what, calls }))
    } finally {
      for (const one of callers) one.stop()
    }
  }
  /** @type {(key: 'wall' | 'processor', way: string) => number[]} */
  const series = (key, way) => (costs.get(way) ?? []).map((cost) => cost[key])
  /** @type {(way: string) => string} */
  const absolute = (way) => median(series('processor', way)).toFixed(0)
  /** @type {(key: 'wall' | 'processor', way: string, to: string) => string} */
  const ratio = (key, way, to) => more(median(ratios(series(key, way), series(key, to))))
  for (const [door, name] of Object.entries(doors))
    rows.push([
      `${what}, ${name}`,
      absolute(`${door}/hand`),
      absolute(`${door}/client`),
      ratio('processor', `${door}/client`, `${door}/hand`),
      ratio('processor', `${door}/clientLimited`, `${door}/handLimited`),
      ratio('wall', `${door}/clientLimited`, `${door}/handLimited`),
      ratio('processor', `${door}/clientLimited`, 'undici/handLimited'),
    ])
}
await stop()
const columns = [
  'µs of the processor per call',
  'by hand',
  'client',
  'more',
  'with a time limit',
  'its wall time',
  'than undici `fetch` by hand',
]
const told = `${table([columns, ...rows])}\n\n${about}; ${pinning ? sharing : 'not pinned to cores'}; medians of ${processes} processes with ${rounds} rounds of ${calls} calls each, 8 at a time.`
console.log(told)
if (values.publish) publish('client', told)
