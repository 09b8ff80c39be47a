/** Runs every `*.page.js` of this folder in Chromium: the executable `CHROMIUM`, by default `/usr/bin/chromium`. The last line has the numbers of passed and failed tests. */
import { readdirSync } from 'node:fs'
import { runFiles } from '../support/run-files.ts'

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.page.js'))
const { passed, failed } = await runFiles(import.meta.url, files)
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
