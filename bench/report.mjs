/**
 * The result as Markdown, and its place in the README. Tables are padded as the formatter pads
 * them, so that a run leaves the checkout formatted.
 *
 * @import { Generator } from './load/generator.mjs'
 * @import { Options } from './options.mjs'
 * @import { Server } from './servers.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { pinning } from './pin.mjs'
import { median, ratios } from './statistics.mjs'

/**
 * What was measured.
 *
 * @typedef {object} Result
 * @property {(server: Server, workload: Workload) => readonly number[]} rates answers per second, by round
 * @property {(server: Server) => readonly number[]} starts milliseconds, by start
 * @property {number} loadBefore the load average of the machine before the run: what else it did
 */

/** @type {(cells: readonly string[]) => string} */
const line = (cells) => `| ${cells.join(' | ')} |`

/** @type {(rows: readonly (readonly [string, ...string[]])[]) => string} */
const table = ([head = [''], ...rows]) => {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  /** @type {(row: readonly string[]) => string} */
  const padded = ([first = '', ...rest]) =>
    line([
      first.padEnd(widths[0] ?? 0),
      ...rest.map((cell, n) => cell.padStart(widths[n + 1] ?? 0)),
    ])
  const rule = widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [padded(head), line(rule), ...rows.map(padded)].join('\n')
}

/** @type {(value: number) => string} */
const whole = (value) => Math.round(value).toLocaleString('en')

/** Median of the ratios to the measure, and between which values they lay. @type {(values: readonly number[]) => string} */
const ratio = (values) => {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)]
  return `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`
}

/** What git prints; nothing where it cannot. @type {(...rest: readonly string[]) => string} */
const git = (...rest) =>
  (spawnSync('git', rest, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout ?? '').trim()

/** The commit, and whether what was measured differs from it. @type {() => string} */
const commit = () => {
  const head = git('rev-parse', '--short=12', 'HEAD')
  const changed = git('status', '--porcelain', '--', '../src', '../package.json', 'server') !== ''
  return head === '' ? 'no commit' : `commit ${head}${changed ? ' with changes' : ''}`
}

/** @type {(generator: Generator, loadBefore: number) => string} */
const place = (generator, loadBefore) =>
  [
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, load average ${loadBefore.toFixed(2)} before the run`,
    `Node ${process.versions.node}`,
    commit(),
    new Date().toISOString().slice(0, 10),
    generator.name,
    pinning ? 'server and load generator on a core each' : 'not pinned to cores',
  ].join('; ')

/**
 * Two tables: ratios to the first server, and plain figures.
 *
 * @type {(options: Options, connections: number, result: Result) => string}
 */
export const report = (
  { rounds, seconds, workloads, servers, generator },
  connections,
  { rates, starts, loadBefore },
) => {
  const [measure, ...others] = servers
  return [
    `Answers per second as a ratio to ${measure.title}: median of the rounds (least–most).`,
    table([
      ['workload', ...others.map(({ title }) => title)],
      ...workloads.map(
        (workload) =>
          /** @type {const} */ ([
            workload.title,
            ...others.map((server) =>
              ratio(ratios(rates(server, workload), rates(measure, workload))),
            ),
          ]),
      ),
    ]),
    'Answers per second and milliseconds to start, medians.',
    table([
      ['workload', ...servers.map(({ title }) => title)],
      ...workloads.map(
        (workload) =>
          /** @type {const} */ ([
            workload.title,
            ...servers.map((server) => whole(median(rates(server, workload)))),
          ]),
      ),
      ['start, ms', ...servers.map((server) => whole(median(starts(server))))],
    ]),
    `${place(generator, loadBefore)}; ${rounds} rounds of ${seconds} s, ${connections} connections.`,
  ].join('\n\n')
}

const [begin, end] = ['<!-- result -->', '<!-- /result -->']

/**
 * Replaces the last result in the README.
 *
 * @type {(text: string) => void}
 */
export const publish = (text) => {
  const file = new URL('README.md', import.meta.url)
  const readme = readFileSync(file, 'utf8')
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`README.md lost ${begin} or ${end}`)
  const [before, after] = [readme.slice(0, from + begin.length), readme.slice(to)]
  writeFileSync(file, `${before}\n\n${text}\n\n${after}`)
}
