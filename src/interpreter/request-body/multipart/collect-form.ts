/** Gathers the parts of a form, as far as they are declared; limits hold for all of them. */
import type { FileUpload } from '../../../endpoint/form.ts'
import { readAttribute, attributeText } from './parts.ts'
import type { MemoryReservation } from '../memory-reservation.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'
import type { BufferedPart } from './read-part.ts'
import type { ReceivedContent, ReceivedFiles } from './received-files.ts'

/** What a form declares of the parts of a name. */
export type FieldKind = 'text' | 'structure' | 'file'

export interface DeclaredFields {
  readonly names: ReadonlyMap<string, FieldKind>
  /** Whether files count whatever their names. */
  readonly acceptsAllFiles: boolean
  /** Whether a part is a file that nothing is declared of. */
  readonly isFile: (part: Part) => boolean
  /** The charset of texts that state none. */
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

/** A browser sends a part with neither name nor content where no file was chosen. */
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
