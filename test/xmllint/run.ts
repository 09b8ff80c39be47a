/** Runs every `*.lint.js` of this folder, which asks `xmllint` of libxml2. The last line says how many passed and failed. */
import { readdirSync } from 'node:fs'
import { runFiles } from '../support/run-files.ts'

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.lint.js'))
const { passed, failed } = await runFiles(import.meta.url, files)
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
