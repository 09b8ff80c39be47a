/** Files that are closed while they are read. */
import { open } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import type { OpenHandle } from '../../../src/index.ts'
import { openHandle, openFile } from '../../../src/node/files/open-file.ts'
import { acquireBuffer } from '../../../src/node/files/buffer-pool.ts'
import { describe } from '../../support/describe.ts'
import { fileWith, newFolder, octetsOf } from '../../support/folder.ts'

const length = 256 * 1024
const path = fileWith(newFolder(), 'file', octetsOf(length))

const nameOf = (reason: unknown): unknown => reason instanceof Error && reason.name

/** A handle whose reads are pending until `finish` is called. Each gives half of what is asked for. */
const pendingHandle = async () => {
  const opened = await open(path)
  const log: string[] = []
  const buffers: Uint8Array[] = []
  let finish: (() => void) | undefined
  const handle: OpenHandle = {
    stat: () => opened.stat(),
    read: (octets, offset, count) => {
      log.push('read')
      buffers.push(octets)
      return new Promise((resolve) => {
        finish = () => {
          log.push('settled')
          octets.fill(1, offset, offset + count / 2)
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

describe('Open files', (test) => {
  test('close waits for the pending read and rejects the rest of it', async () => {
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
    const lent = Array.from({ length: 64 }, () => acquireBuffer(length).buffer)
    assert.not.ok(lent.some((buffer) => buffer === buffers[0]?.buffer))
    finish()
    await Promise.all([reading, closing])
  })
  test('a read after close rejects with an AbortError', async () => {
    const file = await openFile(path)
    await file.close()
    assert.is(await file.read(0, 10).catch(nameOf), 'AbortError')
  })
  test('a handle that throws on close rejects close', async () => {
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
  test('200 files closed during a read leave no descriptor and return whole reads only', async () => {
    const expected = octetsOf(length)
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
