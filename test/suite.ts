/**
 * Runs test files in this process: all `*.test.js` below this folder, or those whose path contains one of the arguments.
 *
 * | argument | effect |
 * |---|---|
 * | `http/cookie` | runs files whose path contains the text |
 * | `!node/` | excludes files whose path contains the text |
 * | `3/16` | runs every sixteenth file, starting with the third |
 * | `--all` | includes long tests (`*.long.test.js`), and contracts through the typed client |
 *
 * A path part includes long tests, too. The last line is the number of tests that passed and failed.
 */
import { readdirSync } from 'node:fs'
import { bundleWorkers } from './bundled-workers.ts'
import { runFiles } from './support/run-files.ts'

const sharePattern = /^(?<index>\d+)\/(?<count>\d+)$/
const args = process.argv.slice(2).filter((argument) => argument !== '--all')
const isAll = args.length < process.argv.length - 2
const { index = 1, count = 1 } =
  args.map((argument) => sharePattern.exec(argument)?.groups).find(Boolean) ?? {}
const pathParts = args.filter((argument) => !sharePattern.test(argument))
const excluded = pathParts.flatMap((part) => (part.startsWith('!') ? [part.slice(1)] : []))
const included = pathParts.filter((part) => !part.startsWith('!'))

const isSelected = (file: string): boolean =>
  included.length === 0
    ? isAll || !file.endsWith('.long.test.js')
    : included.some((part) => file.includes(part))

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && isSelected(file))
  .filter((file) => !excluded.some((part) => file.includes(part)))
  .toSorted()
  .filter((_, position) => position % Number(count) === Number(index) - 1)

if (isAll) process.env['ESPALIER_TEST_ALL'] = '1'
bundleWorkers()
const { passed, failed } = await runFiles(import.meta.url, files)
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
