/**
 * The programs of this folder, their error messages, and what editors show, with the oldest supported version of TypeScript. `npm ci` in
 * `bench/types` installs it.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { hasOldestCompiler, oldestCompiler } from '../support/compilers.ts'
import { describeWith } from '../support/describe.ts'
import { defineErrorMessages } from '../support/error-messages.ts'
import { defineShownTypes } from '../support/shown-types.ts'
import { startTsServer } from '../support/ts-server.ts'

const prerequisite = 'TypeScript 5.9: npm ci in bench/types'
const folder = new URL('../../../dist/test/types/programs/', import.meta.url)

describeWith('programs in TypeScript 5.9', prerequisite, hasOldestCompiler, (test, { after }) => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('all programs compile', () => {
    mkdirSync(folder, { recursive: true })
    const settings = {
      extends: '../../../../tsconfig.json',
      compilerOptions: { rootDir: '../../../..', noEmit: true, incremental: false },
      include: ['../../../../test/types/**/*.types.ts'],
    }
    writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
    const options = ['--project', fileURLToPath(folder), '--pretty', 'false']
    const { stdout } = spawnSync(execPath, [oldestCompiler.path, ...options], { encoding: 'utf8' })
    assert.is(stdout, '')
  })
})

describeWith(
  'error messages of TypeScript 5.9',
  prerequisite,
  hasOldestCompiler,
  defineErrorMessages(oldestCompiler),
)

describeWith(
  'types shown by editors with TypeScript 5.9',
  prerequisite,
  hasOldestCompiler,
  defineShownTypes('hovers-5.9', async () =>
    startTsServer(oldestCompiler.path.replace(/tsc$/, 'tsserver')),
  ),
)
