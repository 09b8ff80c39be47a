/** What the servers of uploads share: what a file comes to that was received. */
import { createHash } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'

/** @type {(octets: Uint8Array) => string} */
export const sha256 = (octets) => createHash('sha256').update(octets).digest('hex')

/** The hash of a file. @type {(path: string) => Promise<string>} */
export const sha256OfFile = async (path) => sha256(await readFile(path))

/**
 * Takes a file away; nobody waits for it. For servers that leave that to their handlers.
 *
 * @type {(path: string) => void}
 */
export const discard = (path) => {
  unlink(path).catch((error) => console.error(error))
}
