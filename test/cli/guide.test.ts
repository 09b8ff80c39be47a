/** The commands and outputs of the guide `command-line.md`. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { exitCodes } from '../../src/cli/exit-code.ts'
import { describe } from '../support/describe.ts'
import { createProject } from './application.ts'

const guide = readFileSync('src/guide/command-line.md', 'utf8')
const bin = resolve('dist/espalier/cli.js')

/** The `console` blocks, each a list of commands with their outputs. */
const blocks = [...guide.matchAll(/^```console\n([^]*?)^```/gm)].map(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((entry) => /^([^\n]*)\n([^]*)$/.exec(entry) ?? [])
    .map(([, command = '', output = '']) => ({ command, output })),
)

const execute = (folder: string, command: string): Promise<string> =>
  new Promise((done) => {
    const line = command.replaceAll('npx espalier', `'${process.execPath}' '${bin}'`)
    execFile('sh', ['-c', line], { cwd: folder }, (_, out, error) => done(out + error))
  })

describe('guide command-line.md', (test) => {
  const [, module = ''] = /^```ts\n([^]*?)^```/m.exec(guide) ?? []
  const folder = createProject({ 'library.js': module })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'library', version: '1.0.0', type: 'module' }),
  )
  test('has commands', () => assert.ok(blocks.flat().length > 5))
  for (const commands of blocks)
    test(`${commands[0]?.command} has the documented output`, async () => {
      for (const { command, output } of commands)
        assert.is(await execute(folder, command), output, command)
    })
  test('lists the exit codes', () =>
    assert.equal(
      [...guide.matchAll(/^\| (\d) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [
        Number(code),
        meaning,
      ]),
      Object.values(exitCodes).map(([code, meaning]) => [code, meaning]),
    ))
})
