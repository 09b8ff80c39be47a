/**
 * The result as Markdown: tables, and sentences about what is read from two rows at once.
 *
 * @import { Figures } from '../support/measurements.mjs'
 * @import { Options } from './options.mjs'
 * @import { Server } from '../support/servers.mjs'
 */
import { delayRow, latency, sizes, startRow, starting } from './metrics.mjs'
import { decimal, rateTables, spread } from '../support/rate-tables.mjs'
import { median, ratios } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'
import { asynchronous, synchronous } from './workloads.mjs'

/** @type {(value: number, digits: number) => string} */
const quantity = (value, digits) => (value === Infinity ? 'cannot hold it' : decimal(value, digits))

/** @type {(options: Options, figures: Figures) => string[]} */
const quantityTable = ({ quantities, servers }, figures) => {
  return [
    'Where less is better, medians.',
    table([
      ['quantity', ...servers.map(({ title }) => title)],
      ...quantities
        .flatMap(({ rows }) => rows)
        .map((row) => [
          row.title,
          ...servers.map((server) => quantity(median(figures.of(row, server)), row.digits)),
        ]),
    ]),
  ]
}

/** @type {(ours: Server, figures: Figures) => string} */
const asynchronousSentence = (ours, figures) =>
  `With an asynchronous handler espalier reaches ${spread(
    ratios(figures.of(asynchronous, ours), figures.of(synchronous, ours)),
  )} of its rate with a synchronous one.`

/** @type {(ours: Server, figures: Figures) => string} */
const startSentence = (ours, figures) => {
  const [few, many] = sizes
  /** @type {(size: number) => string} */
  const each = (size) =>
    `${decimal(median(figures.of(startRow(size), ours)) / size, 2)} ms per endpoint with ${decimal(size, 0)} endpoints`
  const longer = figures.of(startRow(many), ours)
  const further = figures
    .of(startRow(few), ours)
    .map((shorter, round) => ((longer[round] ?? NaN) - shorter) / (many - few))
  return `The start of espalier takes ${each(few)} and ${each(many)}; an endpoint beyond the first ${few} costs ${decimal(median(further), 2)} ms.`
}

/** @type {(options: Options, figures: Figures) => string} */
const delaySentence = ({ servers }, figures) => {
  const delays = servers.flatMap((server) => figures.of(delayRow, server))
  return `The generator of the fixed rate was itself late by ${decimal(median(delays), 2)} ms at p99 (median of its runs).`
}

/** @type {(options: Options, figures: Figures) => string[]} */
const sentences = (options, figures) => {
  const ours = options.servers.find(({ name }) => name === 'espalier')
  const both = [synchronous, asynchronous].every((one) => options.workloads.includes(one))
  const found = [
    ...(ours && both ? [asynchronousSentence(ours, figures)] : []),
    ...(ours && options.quantities.includes(starting) ? [startSentence(ours, figures)] : []),
    ...(options.quantities.includes(latency) ? [delaySentence(options, figures)] : []),
  ]
  return found.length === 0 ? [] : [found.map((sentence) => `- ${sentence}`).join('\n')]
}

/**
 * Rates as ratios to the first server and as they are, then what is better when it is less; what was
 * not measured is left out.
 *
 * @type {(options: Options, figures: Figures, about: string) => string}
 */
export const report = (options, figures, about) =>
  [
    ...(options.workloads.length === 0 ? [] : rateTables(options, figures)),
    ...(options.quantities.length === 0 ? [] : quantityTable(options, figures)),
    ...sentences(options, figures),
    about,
  ].join('\n\n')
