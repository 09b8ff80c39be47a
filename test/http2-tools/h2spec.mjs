/** Runs h2spec in strict mode, and compares its failures with those of Node.js itself. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { knownFailures } from './known-failures.mjs'

const execute = promisify(execFile)

const module = 'github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible'

/** Installs h2spec into a folder, and returns its path. */
const install = async (folder) => {
  const path = join(folder, 'h2spec')
  if (!existsSync(path))
    await execute('go', ['install', module], { env: { ...process.env, GOBIN: folder } })
  return path
}

/** Returns the cases of a JUnit report, with the number of the section, and whether each one has failed. */
const casesOf = (report) =>
  [
    ...report.matchAll(
      /<testcase package="([^"]*)" classname="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g,
    ),
  ].map(([, section, title, content = '']) => ({
    name: `${section}: ${title}`.replaceAll('&#39;', "'").replaceAll('&#34;', '"'),
    failed: /<(?:failure|error)/.test(content),
    skipped: content.includes('<skipped'),
  }))

/** Runs h2spec against `127.0.0.1`. Rejects unless exactly the known cases fail. */
export const checkConformance = async (folder, args) => {
  const path = await install(folder)
  const report = join(folder, `report-${args.join('')}.xml`)
  const words = ['-h', '127.0.0.1', '--strict', '-P', '/delayed', '-j', report, ...args]
  const { stdout } = await execute(path, words, { maxBuffer: 2 ** 26 }).catch((error) => error)
  const cases = casesOf(readFileSync(report, 'utf8'))
  if (cases.length < 140) throw new Error(`only ${cases.length} cases\n${stdout}`)
  const failed = cases.filter((each) => each.failed).map(({ name }) => name)
  const known = knownFailures.map(([name]) => name)
  const unexpected = failed.filter((name) => !known.includes(name))
  const fixed = known.filter((name) => !failed.includes(name))
  if (unexpected.length > 0) throw new Error(`failures:\n${unexpected.join('\n')}\n${stdout}`)
  if (fixed.length > 0) throw new Error(`remove from known-failures.mjs:\n${fixed.join('\n')}`)
  const skipped = cases.filter((each) => each.skipped).length
  return `${cases.length} cases, ${skipped} skipped, ${failed.length} known failures`
}
