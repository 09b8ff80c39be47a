/**
 * Converts values to parts, and combines parts into a multipart request body.
 *
 * `FormData` is not used, because it normalizes line breaks in text and sends each part that has a media type as a
 * file. Names are escaped in the same way as in browsers.
 *
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
import { isFile } from '../../endpoint/representation.ts'
import { generateBoundary } from '../../http/part-headers.ts'
import * as Headers from '../../http/headers.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import type { BodyContent, OpenStream, RequestBody } from './plain-body.ts'
import type { OpenedFile, FilePartToSend, PartToSend } from './body-writer.ts'
import { openFile, isFileToSend, bodyWriter, sourceWriter } from './body-writer.ts'
import { isSource } from '../../body/stream/open-source.ts'
import type { BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { isFilePart } from '../../endpoint/file.ts'
import type { FormDataPart } from '../../endpoint/multipart.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { ValidationError } from '../../http/failure.ts'
import { encodeContent, unwritableBody } from './plain-body.ts'
import { valuesEncoder } from './parameter-values.ts'
import { isBlob, isBytes } from '../../http/platform-value.ts'

/** A part that is ready to be sent. */
export interface WrittenPart {
  readonly headers: Headers.Headers
  readonly content: BodyContent
}

/**
 * Combines parts into a body. The body can be sent again unless it contains a streamed part. Files are read while the
 * body is being sent.
 */
export const formBody = (
  parts: ReadonlyArray<WrittenPart>,
  type: string = 'multipart/form-data',
): RequestBody => {
  const boundary = generateBoundary()
  const segments: ReadonlyArray<BodyContent> = [
    ...parts.flatMap(({ headers, content }) => [
      `--${boundary}\r\n${formatHeaders(headers)}\r\n`,
      content,
      '\r\n',
    ]),
    `--${boundary}--\r\n`,
  ]
  return {
    // replaces any boundary set by the caller
    contentType: `${type.replace(/;\s*boundary=(?:"[^"]*"|[^;]*)/gi, '')}; boundary=${boundary}`,
    content: segments.every(isBuffered) ? new Blob([...segments]) : () => joinSegments(segments),
    headers: Headers.empty,
  }
}

const isBuffered = (segment: BodyContent): segment is Exclude<BodyContent, OpenStream> =>
  typeof segment !== 'function'

const formatHeaders = (headers: Headers.Headers): string =>
  headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')

const encoder = new TextEncoder()

async function* joinSegments(
  segments: ReadonlyArray<BodyContent>,
): AsyncGenerator<Uint8Array, undefined> {
  for (const segment of segments)
    if (typeof segment === 'string') yield encoder.encode(segment)
    else if (isBytes(segment)) yield segment
    else if (isBlob(segment)) yield* segment.stream()
    else yield* segment()
}

/** Parts that are ready to be sent, or validation errors. */
export type WrittenParts = E.Either<ReadonlyArray<ValidationError>, ReadonlyArray<WrittenPart>>

/** Writes a list of parts. If any part is invalid, returns a `Left` that contains all validation errors. */
export type PartsWriter = (parts: unknown) => Promise<WrittenParts>

/** Creates a writer for lists of parts. */
export const partsWriter =
  (options: BodyOptions, jsonSettings: JsonSettings): PartsWriter =>
  async (list) => {
    const parts: ReadonlyArray<unknown> = t.UnknownArray.is(list) ? list : []
    if (!t.UnknownArray.is(list) || !parts.every(isPart))
      return unwritableBody('must be a list of parts: formDataPart(…) or { name, file }')
    const written: WrittenPart[] = []
    const errors: ValidationError[] = []
    for (const part of parts) {
      const result =
        'file' in part
          ? await writeFilePart(part)
          : await writeFormPart(part, options, jsonSettings)
      if (E.isRight(result)) written.push(...result.right)
      else
        errors.push(
          ...result.left.map((error) => ({ ...error, in: 'form' as const, name: part.name })),
        )
    }
    return errors.length > 0 ? E.left(errors) : E.right(written)
  }

const isPart = (value: unknown): value is PartToSend =>
  t.UnknownRecord.is(value) &&
  typeof value['name'] === 'string' &&
  ('file' in value || value['_tag'] === 'FormDataPart')

const writeFilePart = async ({ name, file }: FilePartToSend): Promise<WrittenParts> => {
  const opened = await openFile(file)
  return E.isLeft(opened) ? unwritableBody(opened.left) : E.right([toFilePart(name, opened.right)])
}

/** Converts an opened file to a part. */
export const toFilePart = (
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

const writeFormPart = async (
  { name, entity, representation, fileName, headers }: FormDataPart,
  options: BodyOptions,
  jsonSettings: JsonSettings,
): Promise<WrittenParts> => {
  if (entity === undefined || entity === null) return E.right([])
  const partType = Headers.first(headers, 'content-type')
  const written = await writeEntity(entity, representation, partType, options, jsonSettings)
  if (E.isLeft(written)) return written
  const { contentType, contents } = written.right
  const disposition = ContentDisposition.formData(name, fileName ?? written.right.fileName)
  return E.right(
    contents.map((content) => ({
      headers: [
        ...headerUnlessSet(headers, 'Content-Disposition', disposition),
        ...headers,
        ...headerUnlessSet(headers, 'Content-Type', contentType),
      ],
      content,
    })),
  )
}

const headerUnlessSet = (headers: Headers.Headers, name: string, value: string): Headers.Headers =>
  Headers.first(headers, name.toLowerCase()) === undefined ? [name, value] : []

/** Value of a part, written in the declared representation. */
interface WrittenEntity {
  readonly contentType: string
  readonly fileName: string | undefined
  /**
   * Contents of the parts that represent the value: one for each element of a collection, and at most one for any other
   * value.
   */
  readonly contents: ReadonlyArray<BodyContent>
}

type EntityResult = E.Either<ReadonlyArray<ValidationError>, WrittenEntity>

const writeEntity = async (
  entity: unknown,
  representation: AnyRepresentation,
  partType: string | undefined,
  options: BodyOptions,
  jsonSettings: JsonSettings,
): Promise<EntityResult> => {
  const [plan] = bodyPlans([representation], [], options)
  if (plan === undefined)
    return unwritableBody(`invalid media type ${JSON.stringify(representation.mediaType)}`)
  const { format } = plan
  const type = plan.contentType.includes('*') ? 'application/octet-stream' : plan.contentType
  const result = (contents: ReadonlyArray<BodyContent>): EntityResult =>
    E.right({ contentType: type, fileName: undefined, contents })
  /** Returns a result with text encoded in the charset of the media type of the part. */
  const textResult = (contents: ReadonlyArray<string | Uint8Array>): EntityResult =>
    E.chain(result)(
      E.traverseArray((content: string | Uint8Array) => encodeContent(partType ?? type, content))(
        contents,
      ),
    )
  if (isFile(format)) return writeFile(entity, plan)
  switch (format._tag) {
    case 'Text':
      if (format.codec !== undefined) {
        const values = valuesEncoder(format.codec)(entity)
        return E.isLeft(values) ? unwritableBody(values.left) : textResult(values.right)
      }
      break
    default:
      break
  }
  const openStream = sourceWriter(plan, jsonSettings)
  if (openStream !== undefined)
    return isSource(entity) ? result([openStream(entity, partType ?? type)]) : invalidSource
  const write = bodyWriter(plan, jsonSettings)
  if (write === undefined) return unwritableBody(`cannot be sent as ${plan.contentType}`)
  return E.chain((content: string | Uint8Array | undefined) =>
    textResult(content === undefined ? [] : [content]),
  )(write(entity))
}

const invalidSource = unwritableBody('must be a source: an iterable, a stream or an observable')

/**
 * Writes a file as the content of a part. `entity` is a {@link FileToSend}, a file path, or a file section created with
 * `filePart`.
 */
const writeFile = async (entity: unknown, plan: BodyPlan): Promise<EntityResult> => {
  const part =
    typeof entity === 'object' && entity !== null && isFilePart(entity) ? entity : undefined
  const source = part === undefined ? entity : part.file
  const toSend = typeof source === 'string' ? { path: source } : source
  if (!isFileToSend(toSend)) return unwritableBody('must be the path of a file')
  const file = await openFile(toSend)
  if (E.isLeft(file)) return unwritableBody(file.left)
  const { blob, fileName, contentType } = file.right
  if (part !== undefined && part.offset + part.count > blob.size)
    return unwritableBody('must not extend beyond the end of the file')
  return E.right({
    contentType: plan.contentType.includes('*')
      ? (contentType ?? 'application/octet-stream')
      : plan.contentType,
    fileName,
    contents: [part === undefined ? blob : blob.slice(part.offset, part.offset + part.count)],
  })
}
