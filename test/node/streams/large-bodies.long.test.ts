/** Tests that large bodies use little memory. `test/programs/large-contents.ts` prints the measurements for 1 GiB. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import type { Measurement } from '../../programs/large-contents.ts'

const MiB = 2 ** 20

describe('large bodies', (test) => {
  test('are streamed with little memory', async () => {
    const child = spawn(process.execPath, [program('large-contents.js'), '96'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = (await text(child.stdout)).trim().split('\n')
    const measurements = lines.map((line) => JSON.parse(line) as Measurement)
    assert.is(measurements.length, 4)
    for (const { operation, bytes, growth } of measurements) {
      assert.is(bytes, 96 * MiB, operation)
      assert.ok(growth < 64 * MiB, `${operation} grew by ${growth}`)
    }
  })
})
