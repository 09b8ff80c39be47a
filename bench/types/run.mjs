/**
 * Measures the cost of type checking with generated applications:
 *
 * - the number of type instantiations per endpoint, which does not depend on the machine. Exits with 1 if it exceeds the budget.
 * - the time to check 1,000 endpoints
 * - the time of completions inside a handler, in a module with 200 endpoints
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { application, singleModule } from './application.mjs'
import { measureCompletions } from './completions.mjs'

/** Maximum numbers of instantiations per additional endpoint: the numbers when handlers by reference were accepted are 593 and 845. */
const budgets = {
  /** three of twenty endpoints are called through the client */
  some: 620,
  /** every endpoint is called through the client, and the result is read */
  all: 850,
}
const sizes = /** @type {const} */ ([200, 1000])

const out = new URL('out/', import.meta.url)
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

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
  include: ['*.ts'],
}

/** @type {(name: string, files: Iterable<readonly [string, string]>) => URL} */
const writeProject = (name, files) => {
  const folder = new URL(`${name}/`, out)
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of files) writeFileSync(new URL(file, folder), text)
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
  return folder
}

/** Returns a number that the compiler reports. @type {(folder: URL, name: string, ...options: readonly string[]) => number} */
const measure = (folder, name, ...options) => {
  const { stdout, status } = spawnSync(
    execPath,
    [compiler, '-p', fileURLToPath(folder), '--extendedDiagnostics', ...options],
    { encoding: 'utf8', timeout: 300_000 },
  )
  const [, value] = new RegExp(`^${name}:\\s*([\\d.]+)`, 'm').exec(stdout ?? '') ?? []
  if (status !== 0 || value === undefined)
    throw new Error(`the generated application does not compile\n${(stdout ?? '').slice(0, 4_000)}`)
  return Number(value)
}

rmSync(out, { recursive: true, force: true })

for (const called of /** @type {const} */ (['some', 'all'])) {
  /** @type {(endpoints: number) => number} */
  const count = (endpoints) => {
    const files = application(endpoints, { library, client }, called)
    const folder = writeProject(`${called}-${endpoints}`, files)
    return measure(folder, 'Instantiations', '--singleThreaded')
  }
  const [small, large] = [count(sizes[0]), count(sizes[1])]
  const average = large / sizes[1]
  const slope = (large - small) / (sizes[1] - sizes[0])
  console.log(
    `${sizes[1]} endpoints, ${called} called through the client: ${Math.round(average)} instantiations each, ` +
      `${Math.round(slope)} for each additional endpoint, budget ${budgets[called]}`,
  )
  if (slope > budgets[called]) process.exitCode = 1
}

// other load on the machine slows runs down
const folder = new URL(`some-${sizes[1]}/`, out)
const seconds = [1, 2, 3].map(() => measure(folder, 'Total time'))
console.log(`${sizes[1]} endpoints are checked in ${Math.min(...seconds)} s, goal 2.5 s`)

const text = singleModule(sizes[0], library)
const single = writeProject('single', [['api.ts', text]])
const times = await measureCompletions(single, new URL('api.ts', single), text, 20)
const sorted = times.map(Math.round).toSorted((a, b) => a - b)
console.log(
  `completions in a module with ${sizes[0]} endpoints take ${sorted[sorted.length / 2]} ms (median), ` +
    `${sorted[0]} to ${sorted.at(-1)} ms, goal 300 ms`,
)

rmSync(out, { recursive: true })
