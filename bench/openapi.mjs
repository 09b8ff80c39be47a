/**
 * Measures the time in which `openApi` verifies a tree with 1,000 endpoints and creates its document, each time in a new process.
 * Exits with 1 if the median is above the limit.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './support/statistics.mjs'

const limit = 400
const rounds = 9
const script = fileURLToPath(new URL('openapi/measure.mjs', import.meta.url))

/** @type {() => { readonly milliseconds: number, readonly characters: number }} */
const measure = () => JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }))

const results = Array.from({ length: rounds }, measure)
const durations = results.map(({ milliseconds }) => Math.round(milliseconds))
const typical = median(durations)
console.log(
  `document of 1,000 endpoints (${results[0]?.characters} characters): ${typical} ms, of ${durations.join(', ')}; limit ${limit} ms`,
)
if (typical > limit) process.exitCode = 1
