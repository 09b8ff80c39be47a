/** Bodies that are larger than the memory they may take: see `test/support/large-contents.ts`, which prints the figures of 1 GiB. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import type { Figures } from '../../support/large-contents.ts'

const MiB = 2 ** 20

describe('Large bodies', (test) => {
  test('are streamed with little memory', async () => {
    const child = spawn(process.execPath, [program('large-contents.js'), '96'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = (await text(child.stdout)).trim().split('\n')
    const figures = lines.map((line) => JSON.parse(line) as Figures)
    assert.is(figures.length, 4)
    for (const { operation, octets, growth } of figures) {
      assert.is(octets, 96 * MiB, operation)
      assert.ok(growth < 64 * MiB, `${operation} grew by ${growth}`)
    }
  })
})
