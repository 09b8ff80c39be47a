/**
 * What a call of the typed client costs beside a call by hand: the same requests over the same `fetch`, the same JSON read and
 * looked at. Each contestant has a process of its own, as a program has one or the other: in one process they would share the
 * compiled code of `fetch`, which then is for the shapes of several callers and for none in particular. They take turns of a tenth
 * of a second, so that what slows the machine down slows all of them. Processes that run the same differ by up to a quarter for all
 * their lives, so each contestant begins anew several times. The service has a process as well, whose time does not count. Fails
 * where the client takes a tenth more than the same by hand.
 *
 *     node client.mjs [--processes 9] [--turns 20] [--calls 400] [--publish]
 *
 * @import { Told } from './callers.mjs'
 */
import { deepStrictEqual } from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { caller } from './callers.mjs'
import { circumstances, sharing } from './circumstances.mjs'
import { start } from './process.mjs'
import { publish } from './readme.mjs'
import { ratios, rotated, sum, typical } from './statistics.mjs'
import { table } from './table.mjs'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '9' },
    turns: { type: 'string', default: '20' },
    calls: { type: 'string', default: '400' },
    publish: { type: 'boolean', default: false },
  },
})
const processes = Number(values.processes)
const turns = Number(values.turns)
const calls = Number(values.calls)

/** Calls before the first that count, so that the code is compiled. */
const warmUp = 8_000

/** How many times as much a call of the client may take. */
const goal = 1.1

const doors = {
  global: 'global `fetch`',
  undici: 'undici `fetch`',
  request: 'undici `request`',
}

const ways = Object.keys(doors).flatMap((door) =>
  ['hand', 'client', 'handLimited', 'clientLimited'].map((how) => `${door}/${how}`),
)

/** @typedef {'wall' | 'processor'} Measure */
/** @typedef {Readonly<Record<Measure, readonly number[]>>} Series microseconds per call, one figure for each process */

/** Each of them in a new process. @type {(what: 'find' | 'list' | 'add', time: number) => Promise<Map<string, Told[]>>} */
const taken = async (what, time) => {
  const callers = ways.map((way) => ({ way, ...caller(way, origin) }))
  const told = new Map(ways.map((way) => [way, /** @type {Told[]} */ ([])]))
  try {
    /** @type {unknown[]} */
    const given = []
    for (const { call } of callers) given.push((await call({ what, calls: warmUp })).value)
    for (const value of given) deepStrictEqual(value, given[0])
    for (let turn = 0; turn < turns; turn++)
      for (const { way, call } of rotated(callers, time + turn))
        told.get(way)?.push(await call({ what, calls }))
  } finally {
    for (const one of callers) one.stop()
  }
  return told
}

/** How much more, in percent. @type {(of: readonly number[], to: readonly number[]) => string} */
const more = (of, to) => {
  const { mean, spread } = typical(ratios(of, to))
  const sign = mean >= 1 ? '+' : '−'
  return `${sign}${(Math.abs(mean - 1) * 100).toFixed(1)} ± ${(spread * 100).toFixed(1)} %`
}

const about = circumstances()
const { origin, stop } = await start({ name: 'service', title: 'node:http' }, 1)
/** @type {string[][]} */
const rows = []
/** @type {string[]} */
const missed = []
for (const what of /** @type {const} */ (['find', 'list', 'add'])) {
  /** @type {Map<string, Told[]>[]} */
  const told = []
  for (let time = 0; time < processes; time++) told.push(await taken(what, time))
  /** All that a process has taken: what is left to later turns, as the collection of garbage, counts too. @type {(measure: Measure, way: string) => number[]} */
  const series = (measure, way) =>
    told.map((one) => sum((one.get(way) ?? []).map((cost) => cost[measure])) / turns)
  /** @type {(way: string) => string} */
  const absolute = (way) => typical(series('processor', way)).mean.toFixed(0)
  /** @type {(measure: Measure, way: string, to: string) => string} */
  const beside = (measure, way, to) => more(series(measure, way), series(measure, to))
  for (const [door, name] of Object.entries(doors)) {
    rows.push([
      `${what}, ${name}`,
      absolute(`${door}/hand`),
      absolute(`${door}/client`),
      beside('processor', `${door}/client`, `${door}/hand`),
      beside('processor', `${door}/clientLimited`, `${door}/handLimited`),
      beside('wall', `${door}/clientLimited`, `${door}/handLimited`),
      beside('processor', `${door}/clientLimited`, 'undici/handLimited'),
    ])
    for (const limited of ['', 'Limited']) {
      const [of, to] = [`${door}/client${limited}`, `${door}/hand${limited}`]
      const { mean } = typical(ratios(series('processor', of), series('processor', to)))
      if (!(mean < goal)) missed.push(`${what}, ${of}: ${mean.toFixed(3)}`)
    }
  }
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
const shown = `${table([columns, ...rows])}\n\n${about}; ${sharing}; ${processes} processes with ${turns} turns of ${calls} calls each, 8 at a time; means, ± twice the standard error.`
console.log(shown)
if (values.publish) publish('client', shown)
for (const one of missed) console.error(`a tenth more, or beyond: ${one}`)
process.exitCode = missed.length === 0 ? 0 : 1
