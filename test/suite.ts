/**
 * Runs every `*.test.js` below this folder, or those whose path contains one of the arguments, in this process.
 * The last line says how many passed and failed. Fewer tests than the floor is a failure, so that tests cannot vanish.
 */
import { readdirSync } from 'node:fs'
import { runFiles } from './support/run-files.ts'

/** No fewer tests than this may run; raise it as tests are added. */
const floor = 18_000

const wanted = process.argv.slice(2)
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted()

const { registered, passed, failed } = await runFiles(import.meta.url, files)
const missing = wanted.length === 0 ? Math.max(0, floor - registered) : 0
if (missing > 0) console.log(`${missing} tests fewer than the floor of ${floor}`)
if (failed + missing > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed + missing} failed`)
