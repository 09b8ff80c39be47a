/**
 * Measures the cost of type checking with generated applications:
 *
 * - the number of type instantiations per endpoint, which does not depend on the machine, with the oldest supported compiler and with
 *   the compiler of this repository. Exits with 1 if a number exceeds the recorded one by more than 3 %. With `--record`, the numbers
 *   are written to `figures.json` and the READMEs instead.
 * - the time to check 1,000 endpoints
 * - the time of completions inside a handler, in a module with 200 endpoints
 * - the time until the type of a call is shown after an edit of its endpoint, with 1,000 endpoints
 *
 * The packages of this folder must be installed, and the package built.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { argv, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { table } from '../support/markdown-table.mjs'
import { application, singleModule } from './application.mjs'
import { measureCompletions } from './completions.mjs'
import { measureHovers } from './hovers.mjs'

/**
 * The instantiations per additional endpoint.
 *
 * @typedef {object} Figures
 * @property {number} some if three of twenty endpoints are called through the client
 * @property {number} all if every endpoint is called through the client, and the result is read
 */

/** @type {(path: string) => string} */
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const compiler = pathOf('../../node_modules/typescript/bin/tsc')

/** The compilers, from version to path. The first one is the oldest supported version. */
const compilers = {
  5.9: pathOf('node_modules/typescript-5.9/bin/tsc'),
  '7.0': compiler,
}

const figuresFile = new URL('figures.json', import.meta.url)
/** @type {Readonly<Record<string, Figures>>} */
const recorded = JSON.parse(readFileSync(figuresFile, 'utf8'))
/** The ratio to the recorded number from which the benchmark fails. */
const tolerance = 1.03
const sizes = /** @type {const} */ ([200, 1000])

const out = new URL('out/', import.meta.url)

// the built package; the paths are relative to the generated modules, two folders below this one
const library = '../../../../dist/src/index.js'
const client = '../../../../dist/src/client/client-types.js'

const settings = {
  extends: '../../../../tsconfig.json',
  compilerOptions: {
    rootDir: '../../../..',
    noEmit: true,
    incremental: false,
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
}

/** @type {(name: string, files: Iterable<readonly [string, string]>) => URL} */
const writeProject = (name, files) => {
  const folder = new URL(`${name}/`, out)
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of files) writeFileSync(new URL(file, folder), text)
  writeFileSync(
    new URL('tsconfig.json', folder),
    JSON.stringify({ ...settings, include: ['*.ts'] }),
  )
  return folder
}

/** Returns a number that a compiler reports. @type {(path: string, folder: URL, name: string, ...options: readonly string[]) => number} */
const measure = (path, folder, name, ...options) => {
  const { stdout, status } = spawnSync(
    execPath,
    [path, '-p', fileURLToPath(folder), '--extendedDiagnostics', ...options],
    { encoding: 'utf8', timeout: 300_000 },
  )
  const [, value] = new RegExp(`^${name}:\\s*([\\d.]+)`, 'm').exec(stdout ?? '') ?? []
  if (status !== 0 || value === undefined)
    throw new Error(`the programs do not compile\n${(stdout ?? '').slice(0, 4_000)}`)
  return Number(value)
}

rmSync(out, { recursive: true, force: true })

/** @type {(called: 'some' | 'all') => ReadonlyArray<URL>} */
const writeApplications = (called) =>
  sizes.map((endpoints) =>
    writeProject(`${called}-${endpoints}`, application(endpoints, { library, client }, called)),
  )

const applications = { some: writeApplications('some'), all: writeApplications('all') }

/** @type {Record<string, Figures>} */
const figures = {}
for (const [version, path] of Object.entries(compilers)) {
  /** The number for each additional endpoint. @type {(called: 'some' | 'all') => number} */
  const count = (called) => {
    const [small = 0, large = 0] = applications[called].map((folder) =>
      // only this option makes the number of TypeScript 7 reproducible
      measure(path, folder, 'Instantiations', ...(version === '5.9' ? [] : ['--singleThreaded'])),
    )
    return Math.round((large - small) / (sizes[1] - sizes[0]))
  }
  figures[version] = { some: count('some'), all: count('all') }
  for (const called of /** @type {const} */ (['some', 'all'])) {
    const before = recorded[version]?.[called] ?? 0
    const limit = Math.floor(before * tolerance)
    const value = figures[version][called]
    console.log(
      `TypeScript ${version}, ${called} endpoints called through the client: ${value} instantiations for each additional endpoint, ` +
        `recorded ${before}, limit ${limit}`,
    )
    if (value > limit && !argv.includes('--record')) process.exitCode = 1
  }
}

/** Replaces a part of a file. @type {(path: string, part: RegExp, text: string) => void} */
const replaceIn = (path, part, text) => {
  const file = pathOf(path)
  writeFileSync(file, readFileSync(file, 'utf8').replace(part, text))
}

if (argv.includes('--record')) {
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`)
  const oldest = /** @type {Figures} */ (figures['5.9'])
  replaceIn(
    '../../README.md',
    /\d+ type instantiations, and \d+ if/,
    `${oldest.some} type instantiations, and ${oldest.all} if`,
  )
  const rows = /** @type {const} */ ([
    ['if 3 of 20 are called through the client', 'some'],
    ['if all are called, and the results are read', 'all'],
  ]).map(([title, called]) => [
    title,
    ...Object.values(figures).map((values) => String(values[called])),
  ])
  const head = Object.keys(figures).map((version) => `TypeScript ${version}`)
  replaceIn(
    '../README.md',
    /(<!-- types -->\n)[^]*(\n<!-- \/types -->)/,
    `$1\n${table([['Type instantiations per endpoint', ...head], ...rows])}\n$2`,
  )
}

/** Describes a list of milliseconds of even length. @type {(times: ReadonlyArray<number>) => string} */
const summary = (times) => {
  const sorted = times.map(Math.round).toSorted((a, b) => a - b)
  return `${sorted[sorted.length / 2]} ms (median), ${sorted[0]} to ${sorted.at(-1)} ms`
}

// other load on the machine slows runs down
const folder = new URL(`some-${sizes[1]}/`, out)
const seconds = [1, 2, 3].map(() => measure(compiler, folder, 'Total time'))
console.log(`${sizes[1]} endpoints are checked in ${Math.min(...seconds)} s, goal 2.5 s`)

const text = singleModule(sizes[0], library)
const single = writeProject('single', [['api.ts', text]])
const times = await measureCompletions(single, new URL('api.ts', single), text, 20)
console.log(
  `completions in a module with ${sizes[0]} endpoints take ${summary(times)}, goal 300 ms`,
)

const named = application(sizes[1], { library, client }, 'some', true)
const hovers = measureHovers(writeProject('named', named), 20)
console.log(
  `TypeScript 5.9 shows the type of a call after an edit, with ${sizes[1]} endpoints in modules that name their trees, in ` +
    `${summary(hovers)}, goal 700 ms`,
)

rmSync(out, { recursive: true })
