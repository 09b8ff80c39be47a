/** Where covers are kept: an interface in the style of fp-ts, and one that keeps them in a directory. */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { slot } from 'espalier'

/** What the endpoints need of a store. */
export interface CoverStore {
  /** Takes over the file at a path, in the place of the cover that a book has. */
  readonly keep: (isbn: string, extension: string, path: string) => Promise<void>
  /** The path of a cover. */
  readonly find: (isbn: string) => Promise<O.Option<string>>
}

export const CoverStore = slot<CoverStore>()('covers')

/** A store in a directory, which is made with the first cover. Names are made of ISBNs: thirteen digits, and nothing else. */
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
      // the upload may lie in another file system, where it cannot be renamed
      await copyFile(path, fresh)
      await Promise.all(before.map((old) => rm(old, { force: true })))
      await rename(fresh, join(directory, `${isbn}.${extension}`))
    },
    find: async (isbn) => O.fromNullable((await all(isbn))[0]),
  }
}
