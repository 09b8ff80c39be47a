import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { CommandError } from '../../src/cli/exit-code.ts'
import { writeAtomically } from '../../src/cli/document-file.ts'
import { describe } from '../support/describe.ts'
import { newFolder } from '../support/folder.ts'

const failureOf = async (written: Promise<void>): Promise<unknown> =>
  written.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('writeAtomically', (test) => {
  test('writes new files, in new directories', async () => {
    const folder = newFolder()
    await writeAtomically(join(folder, 'a/b/openapi.json'), 'x')
    assert.is(readFileSync(join(folder, 'a/b/openapi.json'), 'utf8'), 'x')
    assert.equal(readdirSync(join(folder, 'a/b')), ['openapi.json'])
  })
  test('replaces files and keeps their mode', async () => {
    const file = join(newFolder(), 'openapi.json')
    writeFileSync(file, 'old')
    chmodSync(file, 0o600)
    await writeAtomically(file, 'new')
    assert.is(readFileSync(file, 'utf8'), 'new')
    assert.is(statSync(file).mode & 0o777, 0o600)
  })
  test('replaces the target of a symbolic link', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'target.json'), 'old')
    symlinkSync('target.json', join(folder, 'link.json'))
    await writeAtomically(join(folder, 'link.json'), 'new')
    assert.ok(lstatSync(join(folder, 'link.json')).isSymbolicLink())
    assert.is(readFileSync(join(folder, 'target.json'), 'utf8'), 'new')
  })
  test('leaves no file if writing fails', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'openapi.json/full'), { recursive: true })
    writeFileSync(join(folder, 'file'), '')
    for (const name of ['openapi.json', 'file/openapi.json']) {
      const error = await failureOf(writeAtomically(join(folder, name), 'x'))
      assert.instance(error, CommandError)
      assert.match((error as CommandError).message, /^cannot write .*openapi\.json: E[A-Z]+: /)
      assert.is((error as CommandError).exitCode, 2)
    }
    assert.equal(readdirSync(folder).toSorted(), ['file', 'openapi.json'])
    assert.equal(readdirSync(join(folder, 'openapi.json')), ['full'])
  })
})
