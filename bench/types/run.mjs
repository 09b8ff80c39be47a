/**
 * Measures the cost of type checking: compiles generated applications of two sizes and compares the number of type
 * instantiations, which does not depend on the machine. Exits with 1 if the average or the marginal cost of an endpoint
 * exceeds the budget.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { application } from './application.mjs'

/** Maximum number of instantiations per endpoint, including its path, parameters, body, failures and client. */
const budget = 750
const sizes = /** @type {const} */ ([200, 1000])

const out = new URL('out/', import.meta.url)
const compiler = new URL('../../node_modules/.bin/tsc', import.meta.url)

// the built package; the paths are relative to the generated modules, two folders below this one
const library = '../../../../dist/src/index.js'
const client = '../../../../dist/src/client/client-types.js'

const settings = {
  extends: '../../../../tsconfig.json',
  compilerOptions: {
    rootDir: '../../../..',
    noEmit: true,
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ['*.ts'],
}

/** @type {(endpoints: number) => URL} */
const generate = (endpoints) => {
  const folder = new URL(`${endpoints}/`, out)
  const files = application(endpoints, { library, client })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) writeFileSync(new URL(name, folder), text)
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
  return folder
}

/** Returns the number of instantiations that the compiler reports. @type {(folder: URL) => number} */
const countInstantiations = (folder) => {
  const { stdout, status } = spawnSync(
    fileURLToPath(compiler),
    ['-p', fileURLToPath(folder), '--extendedDiagnostics', '--singleThreaded'],
    { encoding: 'utf8', timeout: 300_000 },
  )
  const [, count] = /^Instantiations:\s*(\d+)$/m.exec(stdout ?? '') ?? []
  if (status !== 0 || count === undefined)
    throw new Error(`the generated application does not compile\n${(stdout ?? '').slice(0, 4_000)}`)
  return Number(count)
}

rmSync(out, { recursive: true, force: true })
const [small, large] = [
  countInstantiations(generate(sizes[0])),
  countInstantiations(generate(sizes[1])),
]
rmSync(out, { recursive: true })

const slope = (large - small) / (sizes[1] - sizes[0])
for (const [endpoints, count] of /** @type {const} */ ([
  [sizes[0], small],
  [sizes[1], large],
]))
  console.log(
    `${endpoints} endpoints: ${count} instantiations, ${Math.round(count / endpoints)} each`,
  )
console.log(`each additional endpoint: ${Math.round(slope)} instantiations, budget ${budget}`)
if (Math.max(slope, small / sizes[0], large / sizes[1]) > budget) process.exitCode = 1
