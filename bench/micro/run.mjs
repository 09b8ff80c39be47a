/**
 * Runs the micro benchmark: every library in a process of its own, in interleaved rounds. Prints the
 * tables and puts them into the README, unless it is told to keep to some of the libraries:
 * `node run.mjs codec/zod router`.
 *
 * @import { Subject } from './types.mjs'
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { circumstances } from '../support/environment.mjs'
import { rotated } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'
import { publish } from '../support/readme.mjs'
import { subjects } from './suites.mjs'

const rounds = 3
const script = fileURLToPath(new URL('run-library.mjs', import.meta.url))

const only = process.argv.slice(2)
const about = circumstances()

/** @type {(subject: Subject, name: string) => boolean} */
const wanted = (subject, name) =>
  only.length === 0 || only.includes(subject.name) || only.includes(`${subject.name}/${name}`)

const all = subjects.flatMap((subject) =>
  subject.contestants
    .filter(({ name }) => wanted(subject, name))
    .map(({ name }) => ({ subject, name })),
)
if (all.length === 0) throw new Error(`nothing is called ${only.join(', ')}`)

/** The least figure of the rounds, by subject, library and row. @type {Map<string, number>} */
const least = new Map()

/** @type {(...names: readonly string[]) => string} */
const key = (...names) => names.join('/')

for (let round = 0; round < rounds; round++)
  for (const { subject, name } of rotated(all, round)) {
    console.error(`round ${round + 1} of ${rounds}: ${subject.name}/${name}`)
    const output = execFileSync(process.execPath, [script, subject.name, name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    /** @type {Readonly<Record<string, number>>} */
    const figures = JSON.parse(output)
    for (const [row, figure] of Object.entries(figures)) {
      const at = key(subject.name, name, row)
      least.set(at, Math.min(figure, least.get(at) ?? Infinity))
    }
  }

/** With three digits that say something. @type {(value: number) => string} */
const shown = (value) =>
  value.toLocaleString('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 })

/** @type {(subject: Subject) => string} */
const tableOf = ({ name, title, nanoseconds, rows, contestants }) =>
  table([
    [title, ...contestants.map((one) => one.title)],
    ...rows.map((row) => [
      row.title,
      ...contestants.map((one) => {
        const figure = least.get(key(name, one.name, row.name))
        return figure === undefined ? '' : shown(figure / nanoseconds)
      }),
    ]),
  ])

const text = [
  ...subjects.map(tableOf),
  `${about}; medians of blocks, the least of ${rounds} processes.`,
].join('\n\n')
console.log(text)
if (only.length === 0) publish('micro', text)
