/**
 * Formats the result as Markdown.
 *
 * @import { Measurements } from '../support/measurements.mjs'
 * @import { Options } from './options.mjs'
 */
import { decimal, rateTables } from '../support/rate-tables.mjs'
import { median, ratios } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'
import { tickMilliseconds } from './payloads.mjs'
import { delayRows } from './delay.mjs'

/** @type {(options: Options, figures: Measurements) => string[]} */
const delayTable = ({ servers }, measurements) => {
  const [baseline] = servers
  return [
    table([
      [`delay, every ${tickMilliseconds} ms, medians`, ...servers.map(({ title }) => title)],
      ...delayRows.flatMap((row) => [
        [
          `${row.title}, ms`,
          ...servers.map((server) => decimal(median(measurements.get(row, server)), 3)),
        ],
        [
          `${row.title}, ratio`,
          ...servers.map((server) =>
            decimal(
              median(ratios(measurements.get(row, server), measurements.get(row, baseline))),
              2,
            ),
          ),
        ],
      ]),
    ]),
  ]
}

/** The CPU utilization of the load generator. @type {(workload: { readonly name: string }) => { readonly name: string }} */
export const generatorRow = ({ name }) => ({ name: `${name}-generator` })

/** @type {(options: Options, figures: Measurements) => string} */
const generatorSentence = ({ workloads, servers }, measurements) => {
  const busiest = workloads
    .flatMap((workload) =>
      servers.map((server) => ({
        name: `${workload.title}, ${server.title}`,
        share: median(measurements.get(generatorRow(workload), server)),
      })),
    )
    .reduce((highest, next) => (next.share > highest.share ? next : highest), {
      name: '',
      share: 0,
    })
  return `The load generator was busy for at most ${decimal(100 * busiest.share, 0)} % of its time (${busiest.name}).`
}

/**
 * Formats rates as ratios to the first server, then the delay of single elements. Omits what was not
 * measured.
 *
 * @type {(options: Options, figures: Measurements, about: string) => string}
 */
export const report = (options, measurements, about) =>
  [
    ...(options.workloads.length === 0
      ? []
      : [...rateTables(options, measurements), generatorSentence(options, measurements)]),
    ...(options.delay ? delayTable(options, measurements) : []),
    about,
  ].join('\n\n')
