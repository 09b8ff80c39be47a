/** A folder of files for a test, which goes with the process. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. */
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

/** When the files of {@link fileWith} were last changed. */
export const changed = new Date('2024-02-29T12:00:00.000Z')

/** A file that was left alone for long. */
export const fileWith = (folder: string, name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  utimesSync(path, changed, changed)
  return path
}

/** Octets of which no two stretches are alike. */
export const octetsOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 7) & 255)
