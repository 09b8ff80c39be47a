/**
 * Runs every `*.lint.js` of this folder, which call `xmllint` of libxml2. The last line has the numbers of passed and failed
 * tests. Without `xmllint`, it reports that and runs no tests.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { runFiles } from '../support/run-files.ts'

const { error } = spawnSync('xmllint', ['--version'])
if (error === undefined) {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.lint.js'))
  const { passed, failed } = await runFiles(import.meta.url, files)
  if (failed > 0) process.exitCode = 1
  console.log(`${passed} passed, ${failed} failed`)
} else {
  console.log(
    `skipped: xmllint cannot be started (${error.message}); Debian has it in libxml2-utils`,
  )
}
