/**
 * What a call of the typed client costs beside a call by hand: the same requests over the same `fetch`, the same JSON read and
 * looked at. Each contestant has a process of its own, as a program has one or the other: in one process they would share the
 * compiled code of `fetch`, which then is for the shapes of several callers and for none in particular. They take turns of a tenth
 * of a second, so that what slows the machine down slows all of them; from the first call on, because a process that has waited for
 * half a minute has lost compiled code, and takes three times as long for its next thousand calls. Processes that run the same
 * differ by up to a quarter for all their lives, so each contestant begins anew several times. The service has a process as
 * well, whose time does not count. Fails where the client takes a tenth more than the same by hand.
 *
 *     node client.mjs [--processes 9] [--turns 20] [--calls 250] [--publish]
 *
 * @import { Told } from './caller-process.mjs'
 */
import { deepStrictEqual } from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { caller } from './caller-process.mjs'
import { circumstances, sharing } from '../support/environment.mjs'
import { start } from '../support/server-process.mjs'
import { publish } from '../support/readme.mjs'
import { ratios, rotated, sum, typical } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '9' },
    turns: { type: 'string', default: '20' },
    calls: { type: 'string', default: '250' },
    publish: { type: 'boolean', default: false },
  },
})
const processes = Number(values.processes)
const turns = Number(values.turns)
const calls = Number(values.calls)

/** Turns before the first that counts, so that the code is compiled. */
const warmUp = 24

/** How many times as much a call of the client may take. */
const goal = 1.1

const doors = {
  global: 'global `fetch`',
  undici: 'undici `fetch`',
  request: 'undici `request`',
}

const hows = /** @type {const} */ (['hand', 'client', 'handLimited', 'clientLimited'])

/** @typedef {(typeof hows)[number]} How */
/** @typedef {Map<How, number>} Taken microseconds of the processor per call */

/** Each in a new process. @type {(door: string, what: 'find' | 'list' | 'add', time: number) => Promise<Taken>} */
const taken = async (door, what, time) => {
  const callers = hows.map((how) => ({ how, ...caller(`${door}/${how}`, origin) }))
  const told = new Map(hows.map((how) => [how, /** @type {Told[]} */ ([])]))
  try {
    for (let turn = 0; turn < warmUp + turns; turn++)
      for (const { how, call } of rotated(callers, time + turn))
        told.get(how)?.push(await call({ what, calls }))
  } finally {
    for (const one of callers) one.stop()
  }
  const [[first] = []] = told.values()
  for (const [one] of told.values()) deepStrictEqual(one?.value, first?.value)
  // all that was taken: what is left to later turns, as the collection of garbage, counts too
  return new Map(
    [...told].map(([how, all]) => [
      how,
      sum(all.slice(warmUp).map(({ processor }) => processor)) / turns,
    ]),
  )
}

/** How much more, in percent. @type {(ratio: { readonly mean: number, readonly spread: number }) => string} */
const more = ({ mean, spread }) => {
  const sign = mean >= 1 ? '+' : '−'
  return `${sign}${(Math.abs(mean - 1) * 100).toFixed(1)} ± ${(spread * 100).toFixed(1)} %`
}

const about = circumstances()
const { origin, stop } = await start({ name: 'service', title: 'node:http' }, 1)
/** @type {string[][]} */
const rows = []
/** @type {string[]} */
const missed = []
for (const what of /** @type {const} */ (['find', 'list', 'add']))
  for (const [door, name] of Object.entries(doors)) {
    /** @type {Taken[]} */
    const series = []
    for (let time = 0; time < processes; time++) series.push(await taken(door, what, time))
    /** @type {(how: How) => number[]} */
    const of = (how) => series.map((one) => one.get(how) ?? NaN)
    /** @type {(by: How, client: How) => string[]} */
    const cells = (by, client) => {
      const ratio = typical(ratios(of(client), of(by)))
      if (!(ratio.mean < goal)) missed.push(`${what}, ${door}, ${client}: ${more(ratio)}`)
      return [...[by, client].map((how) => typical(of(how)).mean.toFixed(0)), more(ratio)]
    }
    const row = [
      `${what}, ${name}`,
      ...cells('hand', 'client'),
      ...cells('handLimited', 'clientLimited'),
    ]
    console.error(row.join('  '))
    rows.push(row)
  }
await stop()
const columns = [
  'µs of the processor per call',
  'by hand',
  'client',
  'more',
  'by hand, time limit',
  'client, time limit',
  'more',
]
const shown = `${table([columns, ...rows])}\n\n${about}; ${sharing}; ${processes} processes with ${turns} turns of ${calls} calls each, 8 at a time; means, ± twice the standard error.`
console.log(shown)
if (values.publish) publish('client', shown)
for (const one of missed) console.error(`a tenth more, or beyond: ${one}`)
process.exitCode = missed.length === 0 ? 0 : 1
