/**
 * Compares the cost of a call of the typed client with that of handwritten code: the same requests over the same `fetch`, with
 * the same validation of the same JSON.
 *
 * Each variant has its own process, because in one process they would share the compiled code of `fetch`, optimized for the
 * shapes of several callers. They take turns of a tenth of a second, so that what slows the machine down slows all of them. The
 * turns start with the first call: a process that has been idle for half a minute has lost compiled code, and needs three
 * times as long for its next thousand calls. Processes with the same code differ by up to a quarter, so each variant is
 * started several times. The service has a separate process, whose time does not count. Exits with 1 if the client needs at
 * least a tenth more than handwritten code.
 *
 *     node client/run.mjs [--processes 9] [--turns 20] [--calls 250] [--publish]
 *
 * @import { CallResult } from './caller-process.mjs'
 */
import { deepStrictEqual } from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { startCaller } from './caller-process.mjs'
import { describeEnvironment, pinningNote } from '../support/environment.mjs'
import { start } from '../support/server-process.mjs'
import { publish } from '../support/readme.mjs'
import { ratios, rotate, sum, geometricMean } from '../support/statistics.mjs'
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

/** Turns of warm-up, which do not count. */
const warmUp = 24

/** The maximum ratio of the client to handwritten code. */
const goal = 1.1

const transports = {
  global: 'global `fetch`',
  undici: 'undici `fetch`',
  request: 'undici `request`',
}

const variants = /** @type {const} */ ([
  'handwritten',
  'client',
  'handwrittenTimeout',
  'clientTimeout',
])

/** @typedef {(typeof variants)[number]} Variant */
/** @typedef {Map<Variant, number>} Costs CPU microseconds per call */

/** Measures all variants, each in a new process. @type {(transport: string, operation: 'find' | 'list' | 'add', round: number) => Promise<Costs>} */
const measure = async (transport, operation, round) => {
  const callers = variants.map((variant) => ({
    variant,
    ...startCaller(`${transport}/${variant}`, origin),
  }))
  const results = new Map(variants.map((variant) => [variant, /** @type {CallResult[]} */ ([])]))
  try {
    for (let turn = 0; turn < warmUp + turns; turn++)
      for (const { variant, call } of rotate(callers, round + turn))
        results.get(variant)?.push(await call({ operation, calls }))
  } finally {
    for (const { stop } of callers) stop()
  }
  const [[first] = []] = results.values()
  for (const [result] of results.values()) deepStrictEqual(result?.value, first?.value)
  // all turns count, because a garbage collection can be deferred to a later turn
  return new Map(
    [...results].map(([variant, all]) => [
      variant,
      sum(all.slice(warmUp).map(({ cpu }) => cpu)) / turns,
    ]),
  )
}

/** Formats the difference in percent. @type {(ratio: { readonly mean: number, readonly spread: number }) => string} */
const difference = ({ mean, spread }) => {
  const sign = mean >= 1 ? '+' : '−'
  return `${sign}${(Math.abs(mean - 1) * 100).toFixed(1)} ± ${(spread * 100).toFixed(1)} %`
}

const about = describeEnvironment()
const { origin, stop } = await start({ name: 'service', title: 'node:http' }, 1)
/** @type {string[][]} */
const rows = []
/** @type {string[]} */
const exceeded = []
for (const operation of /** @type {const} */ (['find', 'list', 'add']))
  for (const [transport, name] of Object.entries(transports)) {
    /** @type {Costs[]} */
    const series = []
    for (let round = 0; round < processes; round++)
      series.push(await measure(transport, operation, round))
    /** @type {(variant: Variant) => number[]} */
    const of = (variant) => series.map((costs) => costs.get(variant) ?? NaN)
    /** @type {(baseline: Variant, client: Variant) => string[]} */
    const cells = (baseline, client) => {
      const ratio = geometricMean(ratios(of(client), of(baseline)))
      if (!(ratio.mean < goal))
        exceeded.push(`${operation}, ${transport}, ${client}: ${difference(ratio)}`)
      return [
        ...[baseline, client].map((variant) => geometricMean(of(variant)).mean.toFixed(0)),
        difference(ratio),
      ]
    }
    const row = [
      `${operation}, ${name}`,
      ...cells('handwritten', 'client'),
      ...cells('handwrittenTimeout', 'clientTimeout'),
    ]
    console.error(row.join('  '))
    rows.push(row)
  }
await stop()
const columns = [
  'CPU µs per call',
  'handwritten',
  'client',
  'difference',
  'handwritten, timeout',
  'client, timeout',
  'difference',
]
const text = `${table([columns, ...rows])}\n\n${about}; ${pinningNote}; ${processes} processes with ${turns} turns of ${calls} calls each, 8 at a time; means, ± twice the standard error.`
console.log(text)
if (values.publish) publish('client', text)
for (const row of exceeded) console.error(`at least a tenth slower: ${row}`)
process.exitCode = exceeded.length === 0 ? 0 : 1
