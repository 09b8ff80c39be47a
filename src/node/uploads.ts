/** Files for content that was received. Nothing of their names comes from a client, and nobody else may read them. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { NewFile } from '../interpreter/files.ts'

/** Makes files in a directory, which is made with the first. */
export const uploadsIn =
  (given: string): (() => Promise<NewFile>) =>
  async () => {
    const directory = resolve(tmpdir(), given)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, randomUUID())
    const handle = await open(path, 'wx', 0o600)
    return {
      path,
      write: async (octets) => {
        // a short write is no error of the system: it is gone on with
        for (let at = 0; at < octets.length;) {
          const { bytesWritten } = await handle.write(octets, at)
          at += bytesWritten
        }
      },
      close: () => handle.close(),
      delete: async () => {
        await handle.close()
        await rm(path, { force: true })
      },
    }
  }
