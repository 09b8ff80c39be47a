/**
 * The tables of `hostile.mjs`.
 *
 * @import { Measured } from '../../dist/test/hostile/hostile-server.js'
 * @import { Row } from './corpus.mjs'
 */
import { table } from '../support/markdown-table.mjs'
import { bodies } from './bodies.mjs'
import { byFamily, corpus } from './corpus.mjs'
import { kinds as streamKinds, measureFairness } from './fairness.mjs'
import { attacks, costOf } from './incomplete-bodies.mjs'
import { kinds as handlerKinds, measureOverload } from './overload.mjs'
import { polynomial } from './polynomial-regex.mjs'

/**
 * A build that is measured.
 *
 * @typedef {object} Build
 * @property {string} when
 * @property {string} root the checkout
 * @property {string} build the URL of the built package in it
 */

/** Maximum milliseconds for which a request within the default limits should block the event loop. */
const goal = 100

const withoutGeneration = '--disallow-code-generation-from-strings'

/** @type {(value: number | undefined) => string} */
const milliseconds = (value) =>
  value === undefined || value === Infinity
    ? 'the process ended'
    : Number.isNaN(value)
      ? 'none'
      : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })
/** @type {(value: number | undefined) => string} */
const megabytes = (value) => milliseconds(value === undefined ? undefined : value / 1_000_000)

/**
 * Measures all builds, one after the other.
 *
 * @template A
 * @param {readonly Build[]} builds
 * @param {(build: Build) => Promise<A>} measure
 */
const ofEach = async (builds, measure) => {
  /** @type {A[]} */
  const all = []
  for (const build of builds) all.push(await measure(build))
  return all
}

/** A column for each build. @type {(builds: readonly Build[]) => (title: string) => string[]} */
const columnsOf = (builds) => (title) =>
  builds.map(({ when }) => (builds.length === 1 ? title : `${title}, ${when}`))

/** Prints the requests that exceed the goal. @type {(title: string, families: ReadonlyMap<string, readonly Row[]>) => void} */
const report = (title, families) => {
  const exceeding = [...families.values()].flat().filter(({ hold }) => hold > goal)
  for (const { name, hold, cpu, status } of exceeding.toSorted((a, b) => b.hold - a.hold))
    console.error(
      `more than ${goal} ms, ${title}: ${milliseconds(hold)} ms (CPU ${milliseconds(cpu)} ms), ${status}, ${name}`,
    )
}

/** @type {(builds: readonly Build[]) => Promise<string>} */
export const corpusTable = async (builds) => {
  const columns = columnsOf(builds)
  const [before] = builds.length === 1 ? [] : [byFamily(await corpus(builds[0]?.build ?? ''))]
  const current = builds.at(-1)?.build ?? ''
  const generated = byFamily(await corpus(current))
  const interpreted = byFamily(await corpus(current, [withoutGeneration]))
  report('generated code', generated)
  report('without code generation', interpreted)
  /** @type {(rows: readonly Measured[] | undefined, valueOf: (row: Measured) => number) => number} */
  const maximum = (rows, valueOf) => Math.max(...(rows ?? []).map(valueOf))
  /** @type {(row: Measured) => number} */
  const hold = (row) => row.hold
  const families = [...generated.keys()].toSorted(
    (a, b) => maximum(generated.get(b), hold) - maximum(generated.get(a), hold),
  )
  const rows = families.map((family) => {
    const now = generated.get(family)
    const previous = before?.get(family)
    /** @type {(valueOf: (row: Measured) => number, show: typeof milliseconds) => string[]} */
    const cells = (valueOf, show) => [
      ...(before === undefined ? [] : [show(maximum(previous, valueOf))]),
      show(maximum(now, valueOf)),
    ]
    return [
      family,
      String(now?.length ?? 0),
      ...cells(hold, milliseconds),
      milliseconds(maximum(interpreted.get(family), hold)),
      ...cells(({ cpu }) => cpu, milliseconds),
      ...cells(({ memory }) => memory, megabytes),
    ]
  })
  return table([
    [
      'worst request of',
      'requests',
      ...columns('hold, ms'),
      'hold without code generation, ms',
      ...columns('CPU, ms'),
      ...columns('memory, MB'),
    ],
    ...rows,
  ])
}

/** @type {(builds: readonly Build[]) => Promise<string>} */
export const bodiesTable = async (builds) => {
  const columns = columnsOf(builds)
  const each = await ofEach(builds, ({ build }) => bodies(build))
  const [first = []] = each
  /** @type {(at: number, valueOf: (row: Measured) => number, show: typeof milliseconds) => string[]} */
  const cells = (at, valueOf, show) =>
    each.map((rows) => {
      const measured = rows[at]?.[1]
      return show(measured === undefined ? undefined : valueOf(measured))
    })
  return table([
    ['body', ...columns('hold, ms'), ...columns('CPU, ms'), ...columns('memory, MB')],
    ...first.map(([title], at) => [
      title,
      ...cells(at, ({ hold }) => hold, milliseconds),
      ...cells(at, ({ cpu }) => cpu, milliseconds),
      ...cells(at, ({ memory }) => memory, megabytes),
    ]),
  ])
}

/** Accepts each body, with a limit for the total size of buffered bodies. */
const bounded = { 'fw.http.limits.max-buffered-size': '64M' }
const bodySize = '64M'

/** @type {(builds: readonly Build[]) => Promise<string>} */
export const memoryTable = async (builds) => {
  const columns = columnsOf(builds)
  const current = builds.at(-1)?.build ?? ''
  const rows = []
  for (const attack of attacks) {
    const each = await ofEach(builds, ({ build }) => costOf(build, attack))
    const admitted = await costOf(current, attack, bounded, bodySize)
    rows.push([
      attack.title,
      ...each.map(({ memory }) => megabytes(memory)),
      ...each.map(({ rejected }) => String(rejected)),
      megabytes(admitted.memory),
      String(admitted.rejected),
    ])
  }
  return table([
    [
      'incomplete bodies',
      ...columns('memory, MB'),
      ...columns('rejected'),
      'admitted, `max-buffered-size=64M`: memory, MB',
      'rejected',
    ],
    ...rows,
  ])
}

/** @type {Readonly<Record<string, string>>} */
const handlers = {
  burn: 'handlers of 5 ms of CPU',
  later: 'after an asynchronous wait of 20 ms',
  close: 'a connection per request',
}

/** @type {(builds: readonly Build[]) => Promise<string>} */
export const loadTable = async (builds) => {
  const columns = columnsOf(builds)
  const rows = []
  for (const kind of handlerKinds) {
    const each = await ofEach(builds, ({ root }) => measureOverload(kind, root))
    const title = `4 times the capacity, ${handlers[kind]}`
    rows.push(
      [
        `${title}: p99 of accepted requests`,
        ...each.map(({ accepted }) => milliseconds(accepted.p99)),
      ],
      [
        `${title}: p99 of rejected requests`,
        ...each.map(({ rejected }) => milliseconds(rejected.p99)),
      ],
      [`${title}: without a response`, ...each.map(({ unanswered }) => String(unanswered))],
    )
  }
  for (const kind of streamKinds) {
    const each = await ofEach(builds, ({ root }) => measureFairness(kind, root))
    rows.push([
      `with 50 responses \`${kind}\` that never wait: median latency`,
      ...each.map(({ median }) => milliseconds(median)),
    ])
  }
  const expressions = await ofEach(builds, ({ build }) => polynomial(build))
  rows.push([
    '`pattern(/^\\d+\\d+\\d+x$/)` on 1,000 digits',
    ...expressions.map((value) => (value === undefined ? 'rejected' : milliseconds(value))),
  ])
  return table([['', ...columns('ms')], ...rows])
}
