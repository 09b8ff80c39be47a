/** Load shedding of a server that shares its core with other processes. */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { bundleEnvironment, program } from '../../support/bundled.ts'
import { describeWith } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'

const clients = 64
const milliseconds = 6000

/** Starts Node.js on the first core. */
const startOnFirstCore = (...rest: ReadonlyArray<string>): ChildProcess =>
  spawn('taskset', ['--cpu-list', '0', process.execPath, ...rest], {
    env: bundleEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

const canPin = spawnSync('taskset', ['--cpu-list', '0', 'true']).status === 0

describeWith('load shedding on a shared core', 'taskset', canPin, (test) => {
  for (const connection of ['node', 'direct'])
    test(`rejects no request of ${clients} clients that wait for responses over ${connection}`, async () => {
      const children = [startOnFirstCore(program('busy-api.js'), connection)]
      try {
        const [url] = (await once(children[0] as ChildProcess, 'message')) as [string]
        children.push(...Array.from({ length: 2 }, () => startOnFirstCore('-e', 'for (;;);')))
        const statuses: number[] = []
        const end = performance.now() + milliseconds
        const send = async (): Promise<void> => {
          const client = await connectTo(url)
          while (performance.now() < end) {
            client.write(rawRequest(`GET /compute/1`))
            statuses.push((await client.next()).status)
          }
          client.destroy()
        }
        await Promise.all(Array.from({ length: clients }, send))
        assert.is(statuses.filter((status) => status !== 200).length, 0)
        assert.ok(statuses.length > clients, `${statuses.length} responses`)
      } finally {
        for (const child of children) child.kill('SIGKILL')
      }
    })
})
