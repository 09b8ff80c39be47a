/** Temporary folders and files for tests. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder, which is removed when the process exits. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-test-'))
  if (folders.length === 0) process.once('exit', removeAll)
  folders.push(folder)
  return folder
}

const folders: string[] = []

const removeAll = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** The modification time of files that {@link createFile} creates. */
export const modifiedAt = new Date('2024-02-29T12:00:00.000Z')

/** Creates a file that was last modified in the past, and returns its path. */
export const createFile = (folder: string, name: string, data: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, data)
  utimesSync(path, modifiedAt, modifiedAt)
  return path
}

/** Creates bytes in a pattern in which an offset error is detectable. */
export const patternBytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 7) & 255)
