/**
 * Compiles what has changed, and runs the test files whose paths contain one of the arguments:
 *
 *     npm run test:one -- http/cookie
 *
 * Long tests (`*.long.test.ts`) are included. `--all` also runs contracts through the typed client.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
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
/** Removes compiled files whose source was moved or deleted. @type {(folder: string) => void} */
const removeStale = (folder) => {
  if (!existsSync(`${root}dist/${folder}`)) return
  for (const file of readdirSync(`${root}dist/${folder}`, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.js') && !existsSync(`${root}${folder}/${file.slice(0, -3)}.ts`))
      rmSync(`${root}dist/${folder}/${file}`)
}

run('test/docs/extract.mjs')
removeStale('src')
removeStale('test')
run('node_modules/typescript/bin/tsc')
run('.scripts/bundle.mjs')
run(
  '--enable-source-maps',
  '--unhandled-rejections=strict',
  '--throw-deprecation',
  'dist/test/suite.js',
  ...argv.slice(2),
)
