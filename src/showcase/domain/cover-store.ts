/** The store of covers: an interface, and an implementation in a directory. */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { slot } from 'espalier'

export interface CoverStore {
  /** Copies the file at a path, and replaces the cover of the book if it has one. */
  readonly keep: (isbn: string, extension: string, path: string) => Promise<void>
  /** Returns the path of a cover. */
  readonly find: (isbn: string) => Promise<O.Option<string>>
}

export const CoverStore = slot<CoverStore>()('covers')

/** Creates a store in a directory, which is created with the first cover. File names consist of ISBNs, so they are safe. */
export const coverDirectory = (directory: string): CoverStore => {
  const all = async (isbn: string): Promise<ReadonlyArray<string>> => {
    const names = await readdir(directory).catch((): ReadonlyArray<string> => [])
    return names.filter((name) => name.startsWith(`${isbn}.`)).map((name) => join(directory, name))
  }
  return {
    keep: async (isbn, extension, path) => {
      await mkdir(directory, { recursive: true })
      const before = await all(isbn)
      const fresh = join(directory, `new-${isbn}`)
      // copied, because the upload may be in another file system
      await copyFile(path, fresh)
      await Promise.all(before.map((old) => rm(old, { force: true })))
      await rename(fresh, join(directory, `${isbn}.${extension}`))
    },
    find: async (isbn) => O.fromNullable((await all(isbn))[0]),
  }
}
