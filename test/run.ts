/**
 * Runs the tests in several processes. Arguments are parts of the paths of test files.
 *
 * By default, codecs are compiled to generated source, contracts run in memory and over a socket (`valueContract` in memory only), and
 * properties are tested with 10 values. `--all` also runs long tests (`*.long.test.ts`), contracts through the typed client, properties
 * with 100 values, a second time, with code generation disabled, the tests whose result depends on the back end of codecs, and a second
 * time, with `fw.http.connection=direct`, the tests of contracts and connections.
 *
 * Prints the output of each process when it ends, then the slowest files and the failed tests. The last line is the sum of all
 * processes.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { bundleEnvironment } from './support/bundled.ts'
import { selectFiles } from './support/select-files.ts'

/** Number of files that a process runs, so that none grows large. */
const filesPerProcess = 200

/** A larger young generation, in MiB. It saves 5 % of the time of a run, because most objects of tests are short-lived. */
const youngGeneration = '--max-semi-space-size=32'

/** Tests of processes, threads, sockets and files, which do not depend on the back end of codecs. */
const independentOfBackEnd = [
  'broadcast/',
  'client/policy/',
  'docs/',
  'http/',
  'node/',
  'openapi/',
  'package/',
  'showcase/document',
]

/** Tests that send requests over connections. */
const overConnections = [
  'contract/',
  'filter/',
  'health/',
  'node/body-memory/',
  'node/compression',
  'node/connection/',
  'node/direct/',
  'node/exchange/',
  'node/files/',
  'node/http2/protocols',
  'node/instances/',
  'node/interoperability/',
  'node/listener/',
  'node/load-shedding/',
  'node/multipart/',
  'node/proxies/',
  'node/raw/',
  'node/serve.',
  'node/shutdown/',
  'node/streams/',
  'node/test-upload',
  'node/tls/',
  'node/workers/',
]

const suite = fileURLToPath(new URL('suite.js', import.meta.url))
const isAll = process.argv.includes('--all')
const pathParts = process.argv.slice(2).filter((argument) => argument !== '--all')

interface BackEnd {
  readonly name: string
  /** Environment variables of its processes. */
  readonly variables: Readonly<Record<string, string>>
  readonly flags: ReadonlyArray<string>
  /** The files that have not run yet, except those that run alone. */
  readonly queue: string[]
  /** The files that run alone. */
  readonly alone: string[]
}

/** Whether a file measures time. Such files run alone, after all others. */
const measuresTime = (file: string): boolean => file.endsWith('cost.long.test.js')

/** Whether a file may wait for timeouts. */
const isSlow = (file: string): boolean => /^(?:node|client|package)\//.test(file)

/** Moves slow files to the front, so that the last files to run are short. */
const slowestFirst = (files: ReadonlyArray<string>): string[] => [
  ...files.filter(isSlow),
  ...files.filter((file) => !isSlow(file)),
]

const backEndOf = (
  name: string,
  flags: ReadonlyArray<string>,
  files: ReadonlyArray<string>,
  variables: BackEnd['variables'] = {},
): BackEnd => ({
  name,
  variables,
  flags,
  queue: slowestFirst(files.filter((file) => !measuresTime(file))),
  alone: files.filter(measuresTime),
})

const generated = backEndOf('generated codecs', [], selectFiles(pathParts, isAll))
const interpreted = backEndOf(
  'interpreted codecs',
  ['--disallow-code-generation-from-strings'],
  selectFiles(
    pathParts.length > 0 ? pathParts : independentOfBackEnd.map((part) => `!${part}`),
    isAll,
  ),
)
/** Long tests that `--all` runs over direct connections too. The worst requests of the hostile corpus take 2 minutes each time. */
const longOverConnections = ['node/instances/', 'node/streams/', 'node/workers/']
/** Tests of the `node:http` objects of requests. */
const ofNodeHttp = ['node/exchange/incoming-request', 'node/multipart/released-memory']
const direct = backEndOf(
  'direct connections',
  [],
  selectFiles(pathParts, isAll).filter(
    (file) =>
      (file.endsWith('.long.test.js') ? longOverConnections : overConnections).some((part) =>
        file.includes(part),
      ) && !ofNodeHttp.some((part) => file.includes(part)),
  ),
  { FW_HTTP_CONNECTION: 'direct' },
)
const backEnds = isAll ? [generated, interpreted, direct] : [generated]

const env = bundleEnvironment()

const sum = { passed: 0, failed: 0 }
const failures = new Array<string>()
const durations = new Array<readonly [seconds: number, file: string]>()

/** The names and errors of failed tests. An error ends at the next error, suite or file, or at the totals. */
const failedTests = (stdout: string): ReadonlyArray<string> =>
  stdout.match(
    /^ {3}FAIL .*$[\s\S]*?(?=^ {3}FAIL |^ .* \(\d+ \/ \d+\)$|^\S*\.test\.js$|^ {2}Total:)/gm,
  ) ?? []

/** Removes the totals of a single file, which uvu prints. */
const withoutTotals = (stdout: string): string =>
  stdout.replace(/\n {2}Total:.*\n.*\n.*\n {2}Duration:.*\n/g, '')

/** Starts a process that runs files of a queue. A process that ends before its last result, or with an error code, counts as a failure. */
const runProcess = async ({ name, flags, variables }: BackEnd, queue: string[]): Promise<void> => {
  const execArgv = [...process.execArgv, ...flags, youngGeneration]
  const child = fork(suite, isAll ? ['--all'] : [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv,
    env: { ...env, ...variables },
  })
  const output = Promise.all(
    [child.stdout, child.stderr].map((stream) => text(stream ?? Readable.from([]))),
  )
  let current: string | undefined
  let [started, remaining, failed] = [0, filesPerProcess, 0]
  child.on('message', (result: { readonly passed: number; readonly failed: number }) => {
    if (current !== undefined) durations.push([(performance.now() - started) / 1000, current])
    sum.passed += result.passed
    failed += result.failed
    current = remaining-- > 0 ? queue.shift() : undefined
    started = performance.now()
    child.send({ file: current })
  })
  const [code] = await once(child, 'close')
  const [stdout = '', stderr = ''] = await output
  console.log(`\n# ${name}\n${stderr}${withoutTotals(stdout)}`)
  if (failed === 0 && (code !== 0 || current !== undefined)) failed = 1
  sum.failed += failed
  if (failed > 0) {
    const end = current === undefined ? '' : `, ended while it ran ${current}`
    failures.push(`# ${name}: exit code ${code}${end}`, ...failedTests(stdout), stderr)
  }
}

const runNext = async (): Promise<void> => {
  for (const backEnd of backEnds)
    while (backEnd.queue.length > 0) await runProcess(backEnd, backEnd.queue)
}
// two processes for each core, because many tests wait
await Promise.all(Array.from({ length: 2 * availableParallelism() }, runNext))
for (const backEnd of backEnds)
  while (backEnd.alone.length > 0) await runProcess(backEnd, backEnd.alone)

if (sum.failed > 0) process.exitCode = 1
console.log('\nslowest files, in seconds:')
for (const [seconds, file] of durations.toSorted(([a], [b]) => b - a).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(6)}  ${file}`)
if (failures.length > 0) console.log(failures.join('\n'))
console.log(`${sum.passed} passed, ${sum.failed} failed`)
