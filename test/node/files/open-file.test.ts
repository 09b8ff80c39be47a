/** Files that are closed during a read. */
import { open } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import type { OpenHandle } from '../../../src/index.ts'
import { openHandle, openFile, acquireBuffer } from '../../../src/node/files/open-file.ts'
import { describe } from '../../support/describe.ts'
import { createFile, newFolder, patternBytes } from '../../support/folder.ts'

const length = 256 * 1024
const path = createFile(newFolder(), 'file', patternBytes(length))

const nameOf = (reason: unknown): unknown => reason instanceof Error && reason.name

/** A handle whose reads are pending until `finish` is called. Each reads half of the requested bytes. */
const pendingHandle = async () => {
  const opened = await open(path)
  const log: string[] = []
  const buffers: Uint8Array[] = []
  let finish: (() => void) | undefined
  const handle: OpenHandle = {
    stat: () => opened.stat(),
    read: (bytes, offset, count) => {
      log.push('read')
      buffers.push(bytes)
      return new Promise((resolve) => {
        finish = () => {
          log.push('settled')
          bytes.fill(1, offset, offset + count / 2)
          resolve({ bytesRead: count / 2 })
        }
      })
    },
    close: async () => {
      log.push('close')
      await opened.close()
    },
  }
  return { handle, log, buffers, finish: () => finish?.() }
}

describe('OpenFile.close', (test) => {
  test('waits for the pending read, which then rejects', async () => {
    const { handle, log, finish } = await pendingHandle()
    const file = await openHandle(handle)
    const reading = file.read(0, length).catch(nameOf)
    const closing = file.close()
    await Promise.resolve()
    assert.equal(log, ['read'])
    finish()
    assert.is(await reading, 'AbortError')
    await closing
    await file.close()
    assert.equal(log, ['read', 'settled', 'close'])
  })
  test('the buffer of a pending read is not reused after close', async () => {
    const { handle, buffers, finish } = await pendingHandle()
    const file = await openHandle(handle)
    const reading = file.read(0, length).catch(nameOf)
    const closing = file.close()
    const acquired = Array.from({ length: 64 }, () => acquireBuffer(length).buffer)
    assert.not.ok(acquired.some((buffer) => buffer === buffers[0]?.buffer))
    finish()
    await Promise.all([reading, closing])
  })
  test('a read after close rejects with an AbortError', async () => {
    const file = await openFile(path)
    await file.close()
    assert.is(await file.read(0, 10).catch(nameOf), 'AbortError')
  })
  test('rejects if closing the handle throws', async () => {
    const { handle } = await pendingHandle()
    const file = await openHandle({
      ...handle,
      close: () => {
        throw new RangeError('closed twice')
      },
    })
    assert.is(await file.close().catch(nameOf), 'RangeError')
    await handle.close()
  })
  test('does not corrupt pending reads of 200 files', async () => {
    const expected = patternBytes(length)
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const file = await openFile(path)
        const reading = file.read(0, length)
        if (at % 2 === 0) void file.close()
        assert.ok(Buffer.from(await reading).equals(expected))
        await file.close()
      }),
    )
  })
})
