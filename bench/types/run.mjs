/**
 * Weighs the types: compiles generated applications of two sizes and compares the compiler's count
 * of instantiations, which is the same on every machine. Ends with 1 when an endpoint costs more than
 * the budget, on the average of an application or one more in it.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { application } from './application.mjs'

/** Instantiations that one endpoint more may cost, with its path, parameters, body, failures and client. */
const budget = 750
const sizes = /** @type {const} */ ([200, 1000])

const out = new URL('out/', import.meta.url)
const compiler = new URL('../../node_modules/.bin/tsc', import.meta.url)

// the built package, as an application sees it; paths as seen from the generated modules, two folders below this one
const library = '../../../../dist/src/index.js'
const client = '../../../../dist/src/client/call.js'

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

/** How many instantiations the compiler counts. @type {(folder: URL) => number} */
const weigh = (folder) => {
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
const [small, large] = [weigh(generate(sizes[0])), weigh(generate(sizes[1]))]
rmSync(out, { recursive: true })

const slope = (large - small) / (sizes[1] - sizes[0])
for (const [endpoints, count] of /** @type {const} */ ([
  [sizes[0], small],
  [sizes[1], large],
]))
  console.log(
    `${endpoints} endpoints: ${count} instantiations, ${Math.round(count / endpoints)} each`,
  )
console.log(`each endpoint more: ${Math.round(slope)} instantiations; the budget is ${budget}`)
if (Math.max(slope, small / sizes[0], large / sizes[1]) > budget) process.exitCode = 1
