/** Replacement of instances: on SIGHUP, and after an instance has exited repeatedly. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import type { SupervisedProgram } from './supervised-program.ts'
import { pidsOf, withSupervised } from './supervised-program.ts'
import { waitUntil } from '../../support/wait-until.ts'

const options = { instances: 2, 'fw.shutdown.grace': 0 }

const byText = (a: unknown, b: unknown): number => String(a).localeCompare(String(b))

/** Sends SIGTERM while an instance starts. No event reports that the parent process has received the signal. */
const terminate = async ({ kill }: SupervisedProgram, holder: string): Promise<void> => {
  await waitUntil(() => existsSync(`${holder}.reached`))
  kill('SIGTERM')
  await wait(100)
  rmSync(holder)
}

describe('SIGTERM while an instance starts', (test) => {
  test('ends a replacement of an instance that has exited', () => {
    const holder = join(newFolder(), 'holder')
    return withSupervised({ options, holder }, async (program) => {
      const { url, logged, log, exit } = program
      writeFileSync(holder, '')
      await fetch(`${url}/crash/4`).catch(() => undefined)
      await logged('Instance exited unexpectedly and will be replaced')
      await terminate(program, holder)
      assert.equal(await exit, { code: 0, errors: '' })
      assert.is(log().length, 1)
    })
  })

  test('ends a restart', () => {
    const holder = join(newFolder(), 'holder')
    return withSupervised({ options, holder }, async (program) => {
      const { kill, log, exit } = program
      writeFileSync(holder, '')
      kill('SIGHUP')
      await terminate(program, holder)
      assert.equal(await exit, { code: 0, errors: '' })
      assert.equal(log(), [])
    })
  })
})

describe('SIGHUP', (test) => {
  test('keeps the old instances if a new one cannot start, and otherwise replaces them one by one', () => {
    const blocker = join(newFolder(), 'blocker')
    return withSupervised({ options, blocker }, async ({ url, kill, logged, log, exit }) => {
      const before = await pidsOf(url, 2)
      writeFileSync(blocker, '')
      kill('SIGHUP')
      const { level, instance, err } = await logged(
        'Restart stopped, because the new instance failed to start; the old instances continue',
      )
      assert.equal([level, instance], ['error', 1])
      assert.match((err as Error).message, /exit code 3/)
      assert.equal((await pidsOf(url, 2)).toSorted(byText), before.toSorted(byText))
      rmSync(blocker)
      kill('SIGHUP')
      const first = await logged('Instance replaced')
      const second = await logged('Instance replaced', 2)
      assert.equal([first.instance, second.instance], [1, 2])
      assert.equal(
        [first['previous'], second['previous']].toSorted(byText),
        before.toSorted(byText),
      )
      const expected = [first.pid, second.pid].map(Number).toSorted(byText)
      let after = await pidsOf(url, 2)
      // the last replaced instance may still be serving
      while (after.some((pid) => before.includes(pid))) after = await pidsOf(url, 2)
      assert.equal(after.toSorted(byText), expected)
      assert.is(log().length, 3)
      kill('SIGTERM')
      assert.is((await exit).code, 0)
    })
  })

  test('closes the server if it is one of the signals of the server', () =>
    withSupervised(
      { options: { ...options, signals: ['SIGHUP'] } },
      async ({ kill, exit, log }) => {
        kill('SIGHUP')
        assert.is((await exit).code, 0)
        assert.equal(log(), [])
      },
    ))
})

describe('an instance that exits repeatedly', (test) => {
  test('is replaced after a delay that doubles up to the maximum', () => {
    const blocker = join(newFolder(), 'blocker')
    const delays = {
      'fw.http.instances.restart-delay': '10ms',
      'fw.http.instances.max-restart-delay': '50ms',
    }
    return withSupervised(
      { options: { ...options, ...delays }, blocker },
      async ({ url, kill, logged, log, exit }) => {
        const [first = 0] = await pidsOf(url, 2)
        writeFileSync(blocker, '')
        process.kill(first, 'SIGKILL')
        const message = 'Instance exited unexpectedly and will be replaced'
        const lines = [await logged(message), await logged(message, 5)]
        assert.equal([lines[0]?.['signal'], lines[1]?.['code']], ['SIGKILL', 3])
        assert.equal(
          log()
            .filter((line) => line.message === message)
            .slice(1, 5)
            .map(({ delay }) => delay),
          [20, 40, 50, 50],
        )
        assert.is((await logged('Instance failed to start')).level, 'error')
        rmSync(blocker)
        await logged('Instance replaced')
        await pidsOf(url, 2)
        kill('SIGTERM')
        assert.is((await exit).code, 0)
      },
    )
  })
})
