/**
 * Runs the tests in several processes, so that none of them grows large. Arguments are parts of the paths of test files.
 *
 * By default, codecs are compiled to generated source, contracts run in memory and over a socket, and properties are tested with 25
 * values. `--all` also runs long tests (`*.long.test.ts`), contracts through the typed client, properties with 100 values, and a second
 * time, with code generation disabled, the tests whose result depends on the back end of codecs.
 *
 * Prints the output of each process when it ends, and the failed tests of all processes at the end. Fails if fewer tests run than the
 * minimum, so that tests cannot disappear unnoticed. The last line is the sum of all processes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { bundleEnvironment } from './support/bundled.ts'

/** Minimum number of tests. Raise it when tests are added. */
const minimum = { default: 20_000, all: 56_000 }

/** Number of processes for each back end. */
const processes = 12

/** Tests of processes, threads, sockets and files, which do not depend on the back end of codecs. */
const independentOfBackEnd = ['broadcast/', 'client/policy/', 'docs/', 'http/', 'node/', 'package/']

const suite = fileURLToPath(new URL('suite.js', import.meta.url))
const isAll = process.argv.includes('--all')
const pathParts = process.argv.slice(2).filter((argument) => argument !== '--all')

interface BackEnd {
  readonly name: string
  readonly flags: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
}

const generated: BackEnd = { name: 'generated codecs', flags: [], files: pathParts }
const interpreted: BackEnd = {
  name: 'interpreted codecs',
  flags: ['--disallow-code-generation-from-strings'],
  files: pathParts.length > 0 ? pathParts : independentOfBackEnd.map((part) => `!${part}`),
}

const env = bundleEnvironment()

const sum = { passed: 0, failed: 0 }
const failures = new Array<string>()

/** The names and errors of failed tests. An error ends at the next error, suite or file, or at the totals. */
const failedTests = (stdout: string): ReadonlyArray<string> =>
  stdout.match(
    /^ {3}FAIL .*$[\s\S]*?(?=^ {3}FAIL |^ .* \(\d+ \/ \d+\)$|^\S*\.test\.js$|^ {2}Total:)/gm,
  ) ?? []

/** Runs a share of the files. A process that ends before its last line, or with an error code, counts as a failure. */
const run = async ({ name, flags, files }: BackEnd, share: string): Promise<void> => {
  const start = performance.now()
  const args = [...process.execArgv, ...flags, suite, share, ...(isAll ? ['--all'] : []), ...files]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  const [stdout, stderr] = await output
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`\n# ${name}, ${share}, ${seconds} s\n${stderr}${stdout}`)
  const [, passed = '0', failed = '1'] = /(\d+) passed, (\d+) failed\s*$/.exec(stdout) ?? []
  const failedHere = Math.max(Number(failed), code === 0 ? 0 : 1)
  sum.passed += Number(passed)
  sum.failed += failedHere
  if (failedHere > 0)
    failures.push(`# failed: ${name}, ${share}, exit code ${code}`, ...failedTests(stdout), stderr)
}

const queue = [generated, ...(isAll ? [interpreted] : [])].flatMap((backEnd) =>
  Array.from({ length: processes }, (_, index) => () => run(backEnd, `${index + 1}/${processes}`)),
)
const runNext = async (): Promise<void> => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next()
}
await Promise.all(Array.from({ length: availableParallelism() }, runNext))

const required = pathParts.length > 0 ? 0 : isAll ? minimum.all : minimum.default
const missing = Math.max(0, required - sum.passed - sum.failed)
if (missing > 0) console.log(`${missing} tests fewer than the minimum of ${required}`)
sum.failed += missing
if (sum.failed > 0) process.exitCode = 1
if (failures.length > 0) console.log(failures.join('\n'))
console.log(`${sum.passed} passed, ${sum.failed} failed`)
