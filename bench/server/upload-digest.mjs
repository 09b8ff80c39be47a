/** Hashes and deletes received files. */
import { createHash } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'

/** @type {(bytes: Uint8Array) => string} */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** Returns the hash of a file. @type {(path: string) => Promise<string>} */
export const sha256OfFile = async (path) => sha256(await readFile(path))

/**
 * Deletes a file without waiting for the result. Used by servers whose handlers must delete uploads.
 *
 * @type {(path: string) => void}
 */
export const discard = (path) => {
  unlink(path).catch((error) => console.error(error))
}
