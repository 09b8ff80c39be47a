/**
 * Tables of rates: as ratios to the first server, and as they are. A cell is empty where nothing was
 * measured.
 *
 * @import { Figures } from './measurements.mjs'
 * @import { Server } from './servers.mjs'
 */
import { processorRow } from '../frameworks/metrics.mjs'
import { median, ratios } from './statistics.mjs'
import { table } from './markdown-table.mjs'

/** Of these a ratio is shown with its least and most: ours and its nearest peer. */
const inFull = ['espalier', 'fastify']

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
  return inFull.includes(name) ? spread(values) : decimal(median(values), 2)
}

/** @type {(values: readonly number[]) => string} */
const rate = (values) => {
  if (values.length === 0) return ''
  const middle = median(values)
  return decimal(middle, middle < 100 ? 1 : 0)
}

/**
 * @typedef {object} Compared
 * @property {readonly { readonly name: string, readonly title: string }[]} workloads
 * @property {readonly [Server, ...Server[]]} servers the measure of the others first
 */

/** @type {(compared: Compared, figures: Figures) => string[]} */
export const rateTables = ({ workloads, servers }, figures) => {
  const [measure, ...others] = servers
  const head = ['workload', ...others.map(({ title }) => title)]
  /** @type {(title: string, row: { readonly name: string }) => string[]} */
  const ratioRow = (title, row) => [
    title,
    ...others.map((server) =>
      ratio(server.name, ratios(figures.of(row, server), figures.of(row, measure))),
    ),
  ]
  const processorRatios = workloads
    .filter((workload) => figures.of(processorRow(workload), measure).length > 0)
    .map((workload) => ratioRow(workload.title, processorRow(workload)))
  return [
    `Answers per second as a ratio to ${measure.title}: median of the rounds; for espalier and Fastify (least–most).`,
    table([head, ...workloads.map((workload) => ratioRow(workload.title, workload))]),
    ...(processorRatios.length === 0
      ? []
      : [
          `Answers per second of the server's processor time as a ratio to ${measure.title}, likewise.`,
          table([head, ...processorRatios]),
        ]),
    'Answers per second, medians.',
    table([
      ['workload', ...servers.map(({ title }) => title)],
      ...workloads.map((workload) => [
        workload.title,
        ...servers.map((server) => rate(figures.of(workload, server))),
      ]),
    ]),
  ]
}
