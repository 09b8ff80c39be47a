/**
 * Runs the suite once for each back end of the engine: with generated source, and with closures where the platform forbids to
 * make functions of text. Arguments choose test files, as in `suite.ts`. The last line is the sum of both.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const suite = fileURLToPath(new URL('suite.js', import.meta.url))

interface Sum {
  readonly passed: number
  readonly failed: number
}

/** A suite that does not come to its last line, or ends with an error behind it, has failed. */
const runWith = async (...flags: ReadonlyArray<string>): Promise<Sum> => {
  console.log(`\n# ${flags.join(' ') || 'generated source'}`)
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...flags, suite, ...process.argv.slice(2)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let end = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    end = `${end}${text}`.slice(-200)
  })
  const [code] = await once(child, 'close')
  const [, passed = '0', failed = '1'] = /(\d+) passed, (\d+) failed\s*$/.exec(end) ?? []
  return { passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) }
}

const generated = await runWith()
const closures = await runWith('--disallow-code-generation-from-strings')
const failed = generated.failed + closures.failed
if (failed > 0) process.exitCode = 1
console.log(`${generated.passed + closures.passed} passed, ${failed} failed`)
