/**
 * Tables of rates as ratios to the first server, for each second of CPU time on systems that report it. Cells without measurements are
 * empty.
 *
 * @import { Measurements } from './measurements.mjs'
 * @import { Server } from './servers.mjs'
 */
import { cpuRow } from '../frameworks/metrics.mjs'
import { median, ratios } from './statistics.mjs'
import { table } from './markdown-table.mjs'

/** The servers whose ratios are shown with their minimum and maximum. */
const withRange = ['espalier', 'fastify']

/** @type {(value: number, digits: number) => string} */
export const decimal = (value, digits) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** @type {(values: readonly number[]) => string} */
export const spread = (values) => {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)]
  return `${decimal(middle, 2)} (${decimal(least, 2)}–${decimal(most, 2)})`
}

/** @type {(name: string, values: readonly number[]) => string} */
const ratio = (name, values) => {
  if (values.length === 0) return ''
  return withRange.includes(name) ? spread(values) : decimal(median(values), 2)
}

/**
 * @typedef {object} Compared
 * @property {readonly { readonly name: string, readonly title: string }[]} workloads
 * @property {readonly [Server, ...Server[]]} servers the baseline first
 */

/** @type {(compared: Compared, figures: Measurements) => string[]} */
export const rateTables = ({ workloads, servers }, measurements) => {
  const [baseline, ...others] = servers
  const head = ['workload', ...others.map(({ title }) => title)]
  /** @type {(title: string, row: { readonly name: string }) => string[]} */
  const ratioRow = (title, row) => [
    title,
    ...others.map((server) =>
      ratio(server.name, ratios(measurements.get(row, server), measurements.get(row, baseline))),
    ),
  ]
  const hasCpuTime = workloads.every(
    (workload) => measurements.get(cpuRow(workload), baseline).length > 0,
  )
  return [
    `${hasCpuTime ? "Responses per second of the server's CPU time" : 'Responses per second'} as a ratio to ${baseline.title}: median of the rounds; for espalier and Fastify with (minimum–maximum).`,
    table([
      head,
      ...workloads.map((workload) =>
        ratioRow(workload.title, hasCpuTime ? cpuRow(workload) : workload),
      ),
    ]),
  ]
}
