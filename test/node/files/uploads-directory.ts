/** Directories with modes, owners and links for tests of the uploads directory, and a tree with one upload. */
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import { body, fileBody, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { newFolder } from '../../support/folder.ts'

export const hasOwners = process.geteuid !== undefined
export const isRoot = process.geteuid?.() === 0
const otherUserId = 12_345

/** Creates a directory with a mode, independent of the umask. */
export const createDirectory = (mode: number, parent = newFolder()): string => {
  const directory = join(parent, 'directory')
  mkdirSync(directory)
  chmodSync(directory, mode)
  return directory
}

export const changeOwner = (directory: string): string => {
  chownSync(directory, otherUserId, otherUserId)
  return directory
}

export const createLinkTo = (target: string): string => {
  const link = join(newFolder(), 'link')
  symlinkSync(target, link)
  return link
}

export const createEmptyFile = (folder: string): string => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  return file
}

export const receiveFile = pipe(
  path('/file'),
  post(),
  body(fileBody),
  produces(text),
  handle((input) => input.body.path),
)
export const api = routes({ receiving: receiveFile })

export const rejection = async (start: Promise<Server>): Promise<string> => {
  try {
    await (await start).close()
    return 'started'
  } catch (error) {
    return String(error)
  }
}
