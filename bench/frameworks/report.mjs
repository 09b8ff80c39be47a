/**
 * Formats the result as Markdown: tables, and sentences that combine two rows.
 *
 * @import { Measurements } from '../support/measurements.mjs'
 * @import { Options } from './options.mjs'
 * @import { Server } from '../support/servers.mjs'
 */
import { delayRow, latency, sizes, startRow, startTime } from './metrics.mjs'
import { decimal, rateTables, spread } from '../support/rate-tables.mjs'
import { median, ratios } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'
import { asynchronous, synchronous } from './workloads.mjs'

/** @type {(value: number, digits: number) => string} */
const formatMetric = (value, digits) =>
  value === Infinity ? 'rate not reached' : decimal(value, digits)

/** @type {(options: Options, figures: Measurements) => string[]} */
const metricTable = ({ metrics, servers }, measurements) => {
  return [
    table([
      ['median, lower is better', ...servers.map(({ title }) => title)],
      ...metrics
        .flatMap(({ rows }) => rows)
        .map((row) => [
          row.title,
          ...servers.map((server) =>
            formatMetric(median(measurements.get(row, server)), row.digits),
          ),
        ]),
    ]),
  ]
}

/** @type {(espalier: Server, figures: Measurements) => string} */
const asynchronousSentence = (espalier, measurements) =>
  `With an asynchronous handler, espalier reaches ${spread(
    ratios(measurements.get(asynchronous, espalier), measurements.get(synchronous, espalier)),
  )} times its rate with a synchronous handler.`

/** @type {(espalier: Server, figures: Measurements) => string} */
const startSentence = (espalier, measurements) => {
  const [few, many] = sizes
  /** @type {(size: number) => string} */
  const each = (size) =>
    `${decimal(median(measurements.get(startRow(size), espalier)) / size, 2)} ms per endpoint with ${decimal(size, 0)} endpoints`
  const large = measurements.get(startRow(many), espalier)
  const additional = measurements
    .get(startRow(few), espalier)
    .map((small, round) => ((large[round] ?? NaN) - small) / (many - few))
  return `espalier needs ${each(few)} and ${each(many)} to start; each endpoint beyond the first ${few} adds ${decimal(median(additional), 2)} ms.`
}

/** @type {(options: Options, figures: Measurements) => string} */
const delaySentence = ({ servers }, measurements) => {
  const delays = servers.flatMap((server) => measurements.get(delayRow, server))
  return `The fixed-rate load generator itself had a delay of ${decimal(median(delays), 2)} ms at p99 (median of the runs).`
}

/** @type {(options: Options, figures: Measurements) => string[]} */
const sentences = (options, measurements) => {
  const espalier = options.servers.find(({ name }) => name === 'espalier')
  const both = [synchronous, asynchronous].every((workload) => options.workloads.includes(workload))
  const found = [
    ...(espalier && both ? [asynchronousSentence(espalier, measurements)] : []),
    ...(espalier && options.metrics.includes(startTime)
      ? [startSentence(espalier, measurements)]
      : []),
    ...(options.metrics.includes(latency) ? [delaySentence(options, measurements)] : []),
  ]
  return found.length === 0 ? [] : [found.map((sentence) => `- ${sentence}`).join('\n')]
}

/**
 * Formats rates as ratios to the first server, then the metrics for which lower is better. Omits
 * rows that were not measured.
 *
 * @type {(options: Options, figures: Measurements, about: string) => string}
 */
export const report = (options, measurements, about) =>
  [
    ...(options.workloads.length === 0 ? [] : rateTables(options, measurements)),
    ...(options.metrics.length === 0 ? [] : metricTable(options, measurements)),
    ...sentences(options, measurements),
    about,
  ].join('\n\n')
