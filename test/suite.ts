/**
 * Runs every `*.test.js` below this folder in this process, or those whose path contains one of the arguments, and none that
 * contains one behind a `!`. An argument such as `3/16` takes of them every sixteenth file, from the third on. The last line
 * says how many passed and failed.
 */
import { readdirSync } from 'node:fs'
import { bundleWorkers } from './support/bundled-workers.ts'
import { runFiles } from './support/run-files.ts'

const share = /^(?<at>\d+)\/(?<of>\d+)$/
const said = process.argv.slice(2)
const { at = 1, of = 1 } = said.map((one) => share.exec(one)?.groups).find(Boolean) ?? {}
const parts = said.filter((one) => !share.test(one))
const unwanted = parts.flatMap((part) => (part.startsWith('!') ? [part.slice(1)] : []))
const wanted = parts.filter((part) => !part.startsWith('!'))

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .filter((file) => !unwanted.some((part) => file.includes(part)))
  .toSorted()
  .filter((_, index) => index % Number(of) === Number(at) - 1)

bundleWorkers()
const { passed, failed } = await runFiles(import.meta.url, files)
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
