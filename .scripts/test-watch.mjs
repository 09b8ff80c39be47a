/**
 * Runs tests after each change of a file in `src` or `test`:
 *
 *     npm run test:watch                  # the tests of the file that has changed
 *     npm run test:watch -- http/cookie   # these tests
 *
 * The tests of `src/http/cookie.ts` are the files whose paths begin with `test/http/cookie`.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { argv, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const selected = argv.slice(2)

/** Milliseconds without a change after which the tests start. */
const quietTime = 100

/** Returns the path parts of the tests of a file, relative to `src` or `test`. @type {(path: string) => ReadonlyArray<string>} */
const testsOf = (path) => {
  const name = path.replace(/(?:\.long)?(?:\.test)?\.ts$/, '')
  const folder = join(root, 'test', dirname(name))
  const hasTests =
    existsSync(folder) && readdirSync(folder).some((file) => file.startsWith(basename(name)))
  return hasTests ? [name] : []
}

/** @type {Set<string>} */
const changed = new Set()
/** @type {object | undefined} */
let running
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

const start = () => {
  if (running !== undefined) return
  const parts = selected.length > 0 ? selected : [...changed].flatMap(testsOf)
  const files = [...changed].join(', ')
  changed.clear()
  if (parts.length === 0) {
    console.log(
      `no tests at the path of ${files}: pass a path part, as in npm run test:watch -- contract/routing`,
    )
    return
  }
  console.log(`\n# ${files}: ${parts.join(' ')}`)
  running = spawn(execPath, ['.scripts/test-one.mjs', ...parts], { cwd: root, stdio: 'inherit' })
  running.once('close', () => {
    running = undefined
    if (changed.size > 0) start()
  })
}

for (const folder of ['src', 'test'])
  watch(join(root, folder), { recursive: true }, (_, file) => {
    if (file === null || !file.endsWith('.ts') || file.startsWith('docs/out')) return
    changed.add(file.replaceAll('\\', '/'))
    clearTimeout(timer)
    timer = setTimeout(start, quietTime)
  })
console.log('Waiting for changes in src and test.')
