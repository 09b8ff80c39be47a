/**
 * Runs every `*.test.js` below this folder, or those whose path contains one of the arguments, in this process.
 * The last line says how many passed and failed. Fewer tests than the floor, or a file without any, is a failure, so that
 * tests cannot vanish.
 */
import { readdirSync } from 'node:fs'

/** No fewer tests than this may run; raise it as tests are added. */
const floor = 9_000

const uvu = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: unknown[][] }
const wanted = process.argv.slice(2)
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted()

uvu.UVU_DEFER = 1
const { exec } = await import('uvu') // only now: uvu reads UVU_DEFER when it is loaded
const { count } = await import('./support/describe.ts')
const empty: string[] = []
for (const [index, file] of files.entries()) {
  uvu.UVU_INDEX = index
  uvu.UVU_QUEUE?.push([file])
  const before = count.registered
  await import(new URL(file, import.meta.url).href)
  if (count.registered === before) empty.push(file)
}
await exec()

const failed = count.registered - count.passed + empty.length
const missing = wanted.length === 0 ? Math.max(0, floor - count.registered) : 0
for (const file of empty) console.log(`${file} has no tests`)
if (missing > 0) console.log(`${missing} tests fewer than the floor of ${floor}`)
if (failed + missing > 0) process.exitCode = 1
console.log(`${count.passed} passed, ${failed + missing} failed`)
