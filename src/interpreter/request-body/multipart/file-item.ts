/** The content of a received file, as a handler has it. */
import type { FileItem } from '../../../endpoint/multipart.ts'
import type { FileSystem } from '../../file-system.ts'
import { concatBytes } from './concat-bytes.ts'
import type { ReceivedContent } from './received-files.ts'

export const fileItemOf = (files: FileSystem, received: ReceivedContent): FileItem =>
  received._tag === 'File' ? inFile(files, received) : inMemory(files, received)

const inFile = (
  files: FileSystem,
  { path, size }: Extract<ReceivedContent, { readonly _tag: 'File' }>,
): FileItem => ({
  isInMemory: false,
  path,
  size,
  read: () => octetsOf(files, path),
  write: (to) => files.move(path, to),
  delete: () => files.delete(path),
})

const inMemory = (
  files: FileSystem,
  { octets }: Extract<ReceivedContent, { readonly _tag: 'Memory' }>,
): FileItem => {
  let left: Uint8Array | undefined = octets
  const all = (): Uint8Array => {
    if (left === undefined) throw new TypeError('the content was moved or deleted')
    return left
  }
  const forget = (): void => {
    left = undefined
  }
  return {
    isInMemory: true,
    get path(): string {
      throw new TypeError('the content is in memory: it has no path')
    },
    size: octets.length,
    read: async () => all(),
    write: async (to) => {
      await files.write(to, all())
      forget()
    },
    delete: async () => forget(),
  }
}

const octetsOf = async (files: FileSystem, path: string): Promise<Uint8Array> => {
  const file = await files.open(path)
  try {
    const pieces: Uint8Array[] = []
    let at = 0
    while (at < file.size) {
      const piece = await file.read(at, file.size - at)
      if (piece.length === 0) break
      pieces.push(piece)
      at += piece.length
    }
    return concatBytes(pieces)
  } finally {
    await file.close()
  }
}
