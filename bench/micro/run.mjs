/**
 * Runs the micro benchmarks: every library in its own process, in interleaved rounds. Prints the tables. Without arguments
 * it also replaces the tables in the README; arguments select suites or libraries: `node run.mjs codec/zod router`.
 *
 * @import { Suite } from './types.mjs'
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describeEnvironment } from '../support/environment.mjs'
import { rotate } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'
import { publish } from '../support/readme.mjs'
import { suites } from './suites.mjs'

const rounds = 3
const script = fileURLToPath(new URL('run-library.mjs', import.meta.url))

const only = process.argv.slice(2)
const about = describeEnvironment()

/** @type {(suite: Suite, name: string) => boolean} */
const isSelected = (suite, name) =>
  only.length === 0 || only.includes(suite.name) || only.includes(`${suite.name}/${name}`)

const all = suites.flatMap((suite) =>
  suite.libraries
    .filter(({ name }) => isSelected(suite, name))
    .map(({ name }) => ({ suite, name })),
)
if (all.length === 0) throw new Error(`unknown suite or library: ${only.join(', ')}`)

/** The minimum of the rounds, by suite, library and row. @type {Map<string, number>} */
const minimums = new Map()

/** @type {(...names: readonly string[]) => string} */
const key = (...names) => names.join('/')

for (let round = 0; round < rounds; round++)
  for (const { suite, name } of rotate(all, round)) {
    console.error(`round ${round + 1} of ${rounds}: ${suite.name}/${name}`)
    const output = execFileSync(process.execPath, [script, suite.name, name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    /** @type {Readonly<Record<string, number>>} */
    const figures = JSON.parse(output)
    for (const [row, figure] of Object.entries(figures)) {
      const at = key(suite.name, name, row)
      minimums.set(at, Math.min(figure, minimums.get(at) ?? Infinity))
    }
  }

/** Formats a number with three significant digits. @type {(value: number) => string} */
const format = (value) =>
  value.toLocaleString('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 })

/** @type {(suite: Suite) => string} */
const tableOf = ({ name, title, nanoseconds, rows, libraries }) =>
  table([
    [title, ...libraries.map(({ title: library }) => library)],
    ...rows.map((row) => [
      row.title,
      ...libraries.map((library) => {
        const figure = minimums.get(key(name, library.name, row.name))
        return figure === undefined ? '' : format(figure / nanoseconds)
      }),
    ]),
  ])

const text = [
  ...suites.map(tableOf),
  `${about}; medians of blocks, the minimum of ${rounds} processes.`,
].join('\n\n')
console.log(text)
if (only.length === 0) publish('micro', text)
