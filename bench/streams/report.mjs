/**
 * The result as Markdown.
 *
 * @import { Figures } from '../figures.mjs'
 * @import { Options } from './options.mjs'
 */
import { decimal, rateTables } from '../rates.mjs'
import { median } from '../statistics.mjs'
import { table } from '../table.mjs'
import { tickMilliseconds } from './contents.mjs'
import { delayRows } from './delay.mjs'

/** @type {(options: Options, figures: Figures) => string[]} */
const delayTable = ({ servers }, figures) => [
  `The way of one server-sent event from a source that gives one every ${tickMilliseconds} ms, medians; less is better.`,
  table([
    ['delay', ...servers.map(({ title }) => title)],
    ...delayRows.map((row) => [
      row.title,
      ...servers.map((server) => decimal(median(figures.of(row, server)), 3)),
    ]),
  ]),
]

/**
 * Rates as ratios to the first server and as they are, then the delay of one element; what was not measured
 * is left out.
 *
 * @type {(options: Options, figures: Figures, about: string) => string}
 */
export const report = (options, figures, about) =>
  [
    ...(options.workloads.length === 0 ? [] : rateTables(options, figures)),
    ...(options.delay ? delayTable(options, figures) : []),
    about,
  ].join('\n\n')
