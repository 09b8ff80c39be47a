/**
 * The result as Markdown.
 *
 * @import { Figures } from '../support/measurements.mjs'
 * @import { Options } from './options.mjs'
 */
import { decimal, rateTables } from '../support/rate-tables.mjs'
import { median, ratios } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'
import { tickMilliseconds } from './payloads.mjs'
import { delayRows } from './delay.mjs'

/** @type {(options: Options, figures: Figures) => string[]} */
const delayTable = ({ servers }, figures) => {
  const [measure] = servers
  return [
    `The way of one server-sent event from a source that gives one every ${tickMilliseconds} ms, medians; less is better.`,
    table([
      ['delay', ...servers.map(({ title }) => title)],
      ...delayRows.flatMap((row) => [
        [
          `${row.title}, ms`,
          ...servers.map((server) => decimal(median(figures.of(row, server)), 3)),
        ],
        [
          `${row.title}, ratio`,
          ...servers.map((server) =>
            decimal(median(ratios(figures.of(row, server), figures.of(row, measure))), 2),
          ),
        ],
      ]),
    ]),
  ]
}

/** How busy the load generator was. @type {(workload: { readonly name: string }) => { readonly name: string }} */
export const generatorRow = ({ name }) => ({ name: `${name}-generator` })

/** @type {(options: Options, figures: Figures) => string} */
const generatorSentence = ({ workloads, servers }, figures) => {
  const busiest = workloads
    .flatMap((workload) =>
      servers.map((server) => ({
        what: `${workload.title}, ${server.title}`,
        share: median(figures.of(generatorRow(workload), server)),
      })),
    )
    .reduce((most, one) => (one.share > most.share ? one : most), { what: '', share: 0 })
  return `The load generator was busy for at most ${decimal(100 * busiest.share, 0)} % of its time (${busiest.what}).`
}

/**
 * Rates as ratios to the first server and as they are, then the delay of one element; what was not measured
 * is left out.
 *
 * @type {(options: Options, figures: Figures, about: string) => string}
 */
export const report = (options, figures, about) =>
  [
    ...(options.workloads.length === 0
      ? []
      : [...rateTables(options, figures), generatorSentence(options, figures)]),
    ...(options.delay ? delayTable(options, figures) : []),
    about,
  ].join('\n\n')
