/** Writes lists of parts, each in its own representation. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { isSource } from '../../body/stream/open-source.ts'
import type { BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { bytesOnly } from '../../body/stream/framings.ts'
import { isFilePart } from '../../endpoint/file.ts'
import type { FormDataPart } from '../../endpoint/multipart-output.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import type { BodyContent } from './written-body.ts'
import { bodyWriter } from './body-writer.ts'
import type { OpenedFile } from './file-to-send.ts'
import { openFile, isFileToSend } from './file-to-send.ts'
import { textsOf } from './parameter-text.ts'
import type { FilePartToSend, PartToSend } from './file-to-send.ts'
import { sourceChunks } from './source-chunks.ts'
import { textFraming } from './source-chunks.ts'
import { encoded, unwritable } from './written-body.ts'
import type { WrittenPart } from './multipart-body.ts'

export type WrittenParts = E.Either<ReadonlyArray<ValidationError>, ReadonlyArray<WrittenPart>>

export type PartsWriter = (parts: unknown) => Promise<WrittenParts>

/** Prepares writing lists of parts. */
export const partsWriter =
  (said: BodyOptions, usual: JsonSettings): PartsWriter =>
  async (given) => {
    const parts: ReadonlyArray<unknown> = t.UnknownArray.is(given) ? given : []
    if (!t.UnknownArray.is(given) || !parts.every(isPart))
      return unwritable('must be a list of parts: formDataPart(…) or { name, file }')
    const written: WrittenPart[] = []
    const errors: ValidationError[] = []
    for (const part of parts) {
      const result = 'file' in part ? await filePart(part) : await formPart(part, said, usual)
      if (E.isRight(result)) written.push(...result.right)
      else
        errors.push(
          ...result.left.map((fault) => ({ ...fault, in: 'form' as const, name: part.name })),
        )
    }
    return errors.length > 0 ? E.left(errors) : E.right(written)
  }

const isPart = (value: unknown): value is PartToSend =>
  t.UnknownRecord.is(value) &&
  typeof value['name'] === 'string' &&
  ('file' in value || value['_tag'] === 'FormDataPart')

const filePart = async ({ name, file }: FilePartToSend): Promise<WrittenParts> => {
  const there = await openFile(file)
  return E.isLeft(there) ? unwritable(there.left) : E.right([fileWritten(name, there.right)])
}

/** A file as a part of a form. */
export const fileWritten = (
  name: string,
  { blob, fileName, contentType }: OpenedFile,
): WrittenPart => ({
  headers: [
    'Content-Disposition',
    ContentDisposition.formData(name, fileName),
    'Content-Type',
    contentType ?? 'application/octet-stream',
  ],
  content: blob,
})

const formPart = async (
  { name, entity, representation, fileName, headers }: FormDataPart,
  said: BodyOptions,
  usual: JsonSettings,
): Promise<WrittenParts> => {
  if (entity === undefined || entity === null) return E.right([])
  const own = Headers.first(headers, 'content-type')
  const contents = await contentsWritten(entity, representation, own, said, usual)
  if (E.isLeft(contents)) return contents
  const { contentType, all } = contents.right
  const named = fileName ?? contents.right.fileName
  return E.right(
    all.map((content) => ({
      headers: [
        ...unless(headers, 'Content-Disposition', ContentDisposition.formData(name, named)),
        ...headers,
        ...unless(headers, 'Content-Type', contentType),
      ],
      content,
    })),
  )
}

const unless = (own: Headers.Headers, name: string, value: string): Headers.Headers =>
  Headers.first(own, name.toLowerCase()) === undefined ? [name, value] : []

interface Contents {
  readonly contentType: string
  readonly fileName: string | undefined
  /** As a rule one, but one for each element where the codec is of several values. */
  readonly all: ReadonlyArray<BodyContent>
}

type WrittenContents = E.Either<ReadonlyArray<ValidationError>, Contents>

const contentsWritten = async (
  entity: unknown,
  representation: AnyRepresentation,
  own: string | undefined,
  said: BodyOptions,
  usual: JsonSettings,
): Promise<WrittenContents> => {
  const [content] = bodyPlans([representation], [], said)
  if (content === undefined)
    return unwritable(`${JSON.stringify(representation.mediaType)} is not a media type`)
  const { format } = content
  const type = content.contentType.includes('*') ? 'application/octet-stream' : content.contentType
  const contents = (all: ReadonlyArray<BodyContent>): WrittenContents =>
    E.right({ contentType: type, fileName: undefined, all })
  /** Text in the charset that its part announces. */
  const texted = (all: ReadonlyArray<string | Uint8Array>): WrittenContents =>
    E.chain(contents)(E.traverseArray((one: string | Uint8Array) => encoded(own ?? type, one))(all))
  switch (format._tag) {
    case 'File':
      return fileContents(entity, content)
    case 'ByteStream':
      return isSource(entity) ? contents([() => sourceChunks(entity, () => bytesOnly)]) : noSource
    case 'TextStream':
      return isSource(entity)
        ? contents([() => sourceChunks(entity, () => textFraming(own ?? type))])
        : noSource
    case 'Text':
      if (format.codec !== undefined) {
        const all = textsOf(format.codec)(entity)
        return E.isLeft(all) ? unwritable(all.left) : texted(all.right)
      }
      break
    default:
      break
  }
  const write = bodyWriter(content, usual)
  if (write === undefined) return unwritable(`cannot be sent as ${content.contentType}`)
  return E.chain((one: string | Uint8Array | undefined) => texted(one === undefined ? [] : [one]))(
    write(entity),
  )
}

const noSource = unwritable('must be a source: an iterable, a stream or an observable')

/** A path, a part of a file by its path, or whatever else a client takes for a file. */
const fileContents = async (entity: unknown, content: BodyPlan): Promise<WrittenContents> => {
  const part =
    typeof entity === 'object' && entity !== null && isFilePart(entity) ? entity : undefined
  const named = part === undefined ? entity : part.file
  const given = typeof named === 'string' ? { path: named } : named
  if (!isFileToSend(given)) return unwritable('must be the path of a file')
  const file = await openFile(given)
  if (E.isLeft(file)) return unwritable(file.left)
  const { blob, fileName, contentType } = file.right
  if (part !== undefined && part.offset + part.count > blob.size)
    return unwritable('is a part beyond the end of its file')
  return E.right({
    contentType: content.contentType.includes('*')
      ? (contentType ?? 'application/octet-stream')
      : content.contentType,
    fileName,
    all: [part === undefined ? blob : blob.slice(part.offset, part.offset + part.count)],
  })
}
