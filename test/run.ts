/**
 * Runs the suite once for each back end of the engine: with generated source, and by interpretation where the platform forbids
 * code generation. Each is cut into shares with a process of their own, so that none grows large, and as many run at a
 * time as there are processors; what a share says is told when it has ended. Arguments choose test files, as in `suite.ts`.
 * Programs and workers of tests are bundled once for all shares, as `support/bundled.ts` says.
 * Fewer tests than the floor is a failure, so that tests cannot vanish. The last line is the sum of all.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { toldOfBundles } from './support/bundled.ts'

/** No fewer tests than this may run for both back ends; raise it as tests are added. */
const floor = 56_000

/** How many processes a back end is spread over. */
const shares = 12

/**
 * What is there whole under each back end and does not depend on it: how processes, threads, sockets and files behave. It takes
 * most of the time, and runs with one of them, unless `--whole` is said.
 */
const beside = ['broadcast/', 'client/policy/', 'docs/', 'http/', 'node/', 'package/']

const suite = fileURLToPath(new URL('suite.js', import.meta.url))
const chosen = process.argv.slice(2).filter((one) => one !== '--whole')
const isWhole = chosen.length > 0 || process.argv.includes('--whole')

interface BackEnd {
  readonly name: string
  readonly flags: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
}

const backEnds: ReadonlyArray<BackEnd> = [
  { name: 'generated source', flags: [], files: chosen },
  {
    name: 'interpretation',
    flags: ['--disallow-code-generation-from-strings'],
    files: isWhole ? chosen : beside.map((part) => `!${part}`),
  },
]

const env = toldOfBundles()

const sum = { passed: 0, failed: 0 }

/** A share that does not come to its last line, or ends with an error behind it, has failed. */
const run = async ({ name, flags, files }: BackEnd, share: string): Promise<void> => {
  const begun = performance.now()
  const args = [...process.execArgv, ...flags, suite, share, ...files]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  const [told, complained] = await said
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(`\n# ${name}, ${share}, ${seconds} s\n${complained}${told}`)
  const [, passed = '0', failed = '1'] = /(\d+) passed, (\d+) failed\s*$/.exec(told) ?? []
  sum.passed += Number(passed)
  sum.failed += Math.max(Number(failed), code === 0 ? 0 : 1)
}

const waiting = backEnds.flatMap((backEnd) =>
  Array.from({ length: shares }, (_, at) => () => run(backEnd, `${at + 1}/${shares}`)),
)
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
}
await Promise.all(Array.from({ length: availableParallelism() }, work))

const missing = chosen.length === 0 ? Math.max(0, floor - sum.passed - sum.failed) : 0
if (missing > 0) console.log(`${missing} tests fewer than the floor of ${floor}`)
sum.failed += missing
if (sum.failed > 0) process.exitCode = 1
console.log(`${sum.passed} passed, ${sum.failed} failed`)
