/** Collects the declared parts of a form. The limits apply to undeclared parts too. */
import type { FileUpload } from '../../../endpoint/form.ts'
import { readAttribute, attributeText } from './parts.ts'
import type { MemoryReservation } from '../memory-reservation.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'
import type { BufferedPart } from './read-part.ts'
import type { ReceivedContent, ReceivedFiles } from './received-files.ts'

/** The kind of a declared field. */
export type FieldKind = 'text' | 'structure' | 'file'

export interface DeclaredFields {
  readonly names: ReadonlyMap<string, FieldKind>
  /** Whether files with undeclared names are collected. */
  readonly acceptsAllFiles: boolean
  /** Whether an undeclared part is a file. */
  readonly isFile: (part: Part) => boolean
  /** The charset of text parts without one. */
  readonly charset: string
}

export interface CollectedForm {
  readonly texts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly structures: ReadonlyMap<string, ReadonlyArray<BufferedPart>>
  readonly uploads: ReadonlyArray<FileUpload>
}

export const collectForm = async (
  parts: AsyncIterable<Part>,
  { names, acceptsAllFiles: all, isFile, charset }: DeclaredFields,
  files: ReceivedFiles,
  limits: MultipartLimits,
  reservation: MemoryReservation | undefined,
): Promise<CollectedForm> => {
  const texts = new Map<string, string[]>()
  const structures = new Map<string, BufferedPart[]>()
  const uploads: FileUpload[] = []
  for await (const part of parts) {
    const meant = names.get(part.name) ?? (isFile(part) ? 'other file' : undefined)
    if (meant === 'text')
      append(
        texts,
        part.name,
        attributeText(await readAttribute(part, limits, reservation), part, charset),
      )
    else if (meant === 'structure')
      append(structures, part.name, {
        part,
        bytes: await readAttribute(part, limits, reservation),
      })
    else if (meant === 'file' || (meant === 'other file' && all)) {
      const received = await receive(part, files)
      if (received._tag === 'File') uploads.push(uploadOf(part, received))
    } else if (meant === 'other file') await files.skip(part)
    else await readAttribute(part, limits, reservation)
  }
  return { texts, structures, uploads }
}

/** Stores a file. Empty parts without a file name are dropped: browsers send them if no file was chosen. */
const receive = (part: Part, files: ReceivedFiles): Promise<ReceivedContent> =>
  part.fileName === undefined || part.fileName === ''
    ? files.receiveAbove(0, part)
    : files.receive(part)

const append = <A>(lists: Map<string, A[]>, name: string, value: A): void => {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [value])
  else list.push(value)
}

const uploadOf = (
  { name, fileName = '', contentType = 'application/octet-stream', charset, headers }: Part,
  { path, size }: Extract<ReceivedContent, { readonly _tag: 'File' }>,
): FileUpload => ({ name, fileName, path, size, contentType, charset, headers })
