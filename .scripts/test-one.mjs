/**
 * Compiles what has changed, and runs the test files whose paths contain one of the arguments:
 *
 *     npm run test:one -- http/cookie
 *
 * Long tests (`*.long.test.ts`) are included. `--all` also runs contracts through the typed client.
 */
import { spawnSync } from 'node:child_process'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a script of Node.js. Exits with its code if it fails. @type {(...args: ReadonlyArray<string>) => void} */
const run = (...args) => {
  const { status } = spawnSync(execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) exit(status ?? 1)
}

if (argv.length === 2) {
  console.error('missing argument: expected a part of the path of a test file, such as http/cookie')
  exit(1)
}
run('.scripts/build.mjs')
run(
  '--enable-source-maps',
  '--unhandled-rejections=strict',
  '--throw-deprecation',
  'dist/test/suite.js',
  ...argv.slice(2),
)
