/**
 * Compiles `src` and `test`, bundles the entry points, and selects the files of the package. Compiles only what has changed since the last
 * build.
 *
 * Checks the types of `src` and of the type tests in `test/types`. `npm run lint` checks the types of all other tests, which takes
 * four times as long.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a script of Node.js. Exits with its code if it fails. @type {(...args: ReadonlyArray<string>) => void} */
const run = (...args) => {
  const { status } = spawnSync(execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) exit(status ?? 1)
}

/** Removes the compiled files whose source was moved or deleted. @type {(folder: string) => void} */
const removeStale = (folder) => {
  if (!existsSync(`${root}dist/${folder}`)) return
  for (const file of readdirSync(`${root}dist/${folder}`, { recursive: true, encoding: 'utf8' })) {
    const source = file.replace(/(?:\.js|\.d\.ts)(?:\.map)?$/, '.ts')
    if (source !== file && !existsSync(`${root}${folder}/${source}`))
      rmSync(`${root}dist/${folder}/${file}`)
  }
}

const tsc = 'node_modules/typescript/bin/tsc'

run('test/docs/extract.mjs')
removeStale('src')
removeStale('test')
// further checkers would repeat the work on shared types: 15 s of CPU time instead of 32
run(tsc, '--project', 'src', '--checkers', '1')
run(tsc, '--noCheck', '--declaration', 'false')
run('.scripts/bundle.mjs')
run('.scripts/package-files.mjs')
