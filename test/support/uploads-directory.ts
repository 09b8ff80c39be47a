/** Directories that a server may or may not use for uploads, and a tree with one upload. */
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import { body, fileBody, handle, path, post, produces, routes, text } from '../../src/index.ts'
import type { Server } from '../../src/node.ts'
import { newFolder } from './folder.ts'

export const hasOwners = process.geteuid !== undefined
export const isRoot = process.geteuid?.() === 0
const other = 12_345

/** A directory with a mode, whatever the umask is. */
export const directoryWith = (mode: number, inside = newFolder()): string => {
  const directory = join(inside, 'directory')
  mkdirSync(directory)
  chmodSync(directory, mode)
  return directory
}

export const chowned = (directory: string): string => {
  chownSync(directory, other, other)
  return directory
}

export const linkTo = (target: string): string => {
  const link = join(newFolder(), 'link')
  symlinkSync(target, link)
  return link
}

export const fileIn = (folder: string): string => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  return file
}

export const receiving = pipe(
  path('/file'),
  post(),
  body(fileBody),
  produces(text),
  handle((input) => input.body.path),
)
export const api = routes({ receiving })

export const rejection = async (start: Promise<Server>): Promise<string> => {
  try {
    await (await start).close()
    return 'started'
  } catch (error) {
    return String(error)
  }
}
