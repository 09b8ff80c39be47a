/**
 * Runs the files `*.page.js` of this folder in Chromium: the executable `CHROMIUM`, by default `/usr/bin/chromium`. Arguments are parts of
 * the names of files. The last line has the numbers of passed and failed tests.
 */
import { readdirSync } from 'node:fs'
import { runFiles } from '../support/run-files.ts'

const parts = process.argv.slice(2)
const files = readdirSync(import.meta.dirname).filter(
  (file) =>
    file.endsWith('.page.js') && (parts.length === 0 || parts.some((part) => file.includes(part))),
)
const { passed, failed } = await runFiles(import.meta.url, files)
if (failed > 0 || files.length === 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
