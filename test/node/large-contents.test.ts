/** Contents that are larger than what memory they may take: see `test/support/large-contents.ts`, which prints the figures of 1 GiB. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'
import type { Figures } from '../support/large-contents.ts'

const MiB = 2 ** 20

describe('Large contents', (test) => {
  test('flow through in little memory', async () => {
    const program = fileURLToPath(new URL('../support/large-contents.js', import.meta.url))
    const child = spawn(process.execPath, [program, '128'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = (await text(child.stdout)).trim().split('\n')
    const figures = lines.map((line) => JSON.parse(line) as Figures)
    assert.is(figures.length, 4)
    for (const { operation, octets, growth } of figures) {
      assert.is(octets, 128 * MiB, operation)
      assert.ok(growth < 96 * MiB, `${operation} grew by ${growth}`)
    }
  })
})
