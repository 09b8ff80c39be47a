/**
 * Writes multipart bodies: declared forms, which consist of text parts, files and structured parts, and lists of parts.
 *
 * `FormData` is not used, because it normalizes line breaks in text and sends each part that has a media type as a
 * file. Names are escaped in the same way as in browsers.
 *
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { formPartHeaders, joinParts } from '../../body/multipart/write-parts.ts'
import type { Codec } from '../../codec/codec.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { AnyFormPart } from '../../endpoint/body.ts'
import { isFormPart } from '../../endpoint/body.ts'
import type { ValidationError } from '../../http/failure.ts'
import { unwritableBody, encodeContent } from './plain-body.ts'
import { openFile, isFileToSend, bodyWriter, sourceWriter } from './body-writer.ts'
import type { AnyCallInput } from './parameter-values.ts'
import { valuesEncoder } from '../../body/text-values.ts'
import { groupEncoder, membersOf } from './parameter-values.ts'
import type { BodyEnvironment, OpenedFile, PartToSend } from './body-writer.ts'
import { formMapWriter, textFields } from './query-writer.ts'
import type { FurtherBodies, WriteStream } from './request-body.ts'
import { requestBody } from './request-body.ts'
import { isTypedLater } from '../../body/body-plan.ts'
import { generateBoundary } from '../../http/part-headers.ts'
import * as Headers from '../../http/headers.ts'
import type { WrittenPart } from '../../body/multipart/write-parts.ts'
import type { BodyContent, OpenStream, RequestBody } from './plain-body.ts'
import { isSource } from '../../body/stream/open-source.ts'
import type { BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { isFilePart } from '../../endpoint/file.ts'
import type { FormDataPart } from '../../endpoint/multipart.ts'
import { isBlob, isBytes } from '../../http/platform-value.ts'

/** Writes a form. Adds a validation error to `errors` for each invalid part. */
export type WriteForm = (input: AnyCallInput, errors: ValidationError[]) => Promise<RequestBody>

/** Creates the writers for the bodies of structured parts. */
type CreateFurtherBodies = (environment: BodyEnvironment) => FurtherBodies

type WriteValue = (value: unknown) => Promise<WrittenParts>

/**
 * Creates a writer for a form.
 *
 * Text parts precede files and structured parts. A server that streams the form therefore receives all text parts
 * before the first file.
 */
export const multipartFormWriter = (
  declared: ReadonlyMap<string, Codec>,
  environment: BodyEnvironment,
  furtherBodies: CreateFurtherBodies,
): WriteForm => {
  const encodeTextParts = groupEncoder('form', textFields(declared))
  const writeMaps = formMapWriter(declared)
  const parts = [...declared].flatMap(([name, part]) =>
    isFormPart(part) ? [[name, partWriter(name, part, environment, furtherBodies)] as const] : [],
  )
  return async (input, errors) => {
    const written: Part[] = encodeTextParts(input, errors).flatMap(({ name, values }) =>
      values.map((text) => textPart(name, text)),
    )
    written.push(...writeMaps(input, errors).map(([name, text]) => textPart(name, text)))
    const members = membersOf(input, 'form')
    for (const [name, write] of parts) {
      const result = await write(Object.hasOwn(members, name) ? members[name] : undefined)
      if (E.isRight(result)) written.push(...result.right)
      else errors.push(...withinPart(name, result.left))
    }
    return formBody(written)
  }
}

const withinPart = (name: string, errors: ReadonlyArray<ValidationError>) =>
  errors.map((error): ValidationError => ({ ...error, in: 'form', name }))

const textPart = (name: string, text: string): Part => ({
  headers: formPartHeaders(name, undefined, undefined),
  body: text,
})

const partWriter = (
  name: string,
  { kind, isOptional, representation }: AnyFormPart,
  environment: BodyEnvironment,
  furtherBodies: CreateFurtherBodies,
): WriteValue => {
  const missing: WrittenParts = isOptional ? E.right([]) : unwritableBody('is required')
  switch (kind) {
    case 'upload':
      return async (file) =>
        file === undefined || file === null ? missing : writeFiles(name, [file])
    case 'uploads':
    case 'allUploads':
      return async (files) =>
        t.UnknownArray.is(files)
          ? writeFiles(name, files)
          : files === undefined || files === null
            ? missing
            : unwritableBody('must be a list of files')
    case 'allFields':
      // written before the files, with the text parts
      return async () => E.right([])
    case 'part':
      return structuredPartWriter(
        name,
        representation === undefined ? [] : [representation],
        missing,
        environment,
        furtherBodies,
      )
  }
}

const writeFiles = async (name: string, files: ReadonlyArray<unknown>): Promise<WrittenParts> => {
  const written: Part[] = []
  for (const source of files) {
    const file = await openFile(source)
    if (E.isLeft(file)) return unwritableBody(file.left)
    written.push(toFilePart(name, file.right))
  }
  return E.right(written)
}

/** Creates a writer for a structured part. Writer interceptors are not applied to parts. */
const structuredPartWriter = (
  name: string,
  representations: Parameters<typeof bodyPlans>[0],
  missing: WrittenParts,
  environment: BodyEnvironment,
  furtherBodies: CreateFurtherBodies,
): WriteValue => {
  const entities = { ...environment.entities, writerInterceptors: [] }
  const plans = bodyPlans(representations, entities.writers, entities)
  const further = furtherBodies({ ...environment, entities })
  const write = requestBody(plans, entities, environment.jsonSettings, further)
  return async (value) => {
    if (value === undefined) return missing
    const written = await write(value, undefined)
    if (E.isLeft(written)) return written
    const body = written.right
    if (body === undefined) return missing
    const headers = formPartHeaders(name, undefined, body.contentType, body.headers)
    return E.right([{ headers, body: body.content }])
  }
}

/** A part that is ready to be sent. */
type Part = WrittenPart<BodyContent>

/**
 * Combines parts into a body. The body can be sent again unless it contains a streamed part. Files are read while the
 * body is being sent.
 */
const formBody = (
  parts: ReadonlyArray<Part>,
  type: string = 'multipart/form-data',
): RequestBody => {
  const boundary = generateBoundary()
  const segments = joinParts(parts, boundary)
  return {
    // replaces any boundary set by the caller
    contentType: `${type.replace(/;\s*boundary=(?:"[^"]*"|[^;]*)/gi, '')}; boundary=${boundary}`,
    content: segments.every(isBuffered) ? new Blob([...segments]) : () => joinSegments(segments),
    headers: Headers.empty,
  }
}

const isBuffered = (segment: BodyContent): segment is Exclude<BodyContent, OpenStream> =>
  typeof segment !== 'function'

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
type WrittenParts = E.Either<ReadonlyArray<ValidationError>, ReadonlyArray<Part>>

/** Creates a writer for lists of parts. If any part is invalid, it returns a `Left` that contains all validation errors. */
export const partsWriter =
  (options: BodyOptions, jsonSettings: JsonSettings): WriteStream =>
  async (list, contentType) => {
    const parts: ReadonlyArray<unknown> = t.UnknownArray.is(list) ? list : []
    if (!t.UnknownArray.is(list) || !parts.every(isPart))
      return unwritableBody('must be a list of parts: formDataPart(…) or { name, file }')
    const written: Part[] = []
    const errors: ValidationError[] = []
    for (const part of parts) {
      const result =
        'file' in part
          ? await writeFiles(part.name, [part.file])
          : await writeFormPart(part, options, jsonSettings)
      if (E.isRight(result)) written.push(...result.right)
      else errors.push(...withinPart(part.name, result.left))
    }
    return errors.length > 0 ? E.left(errors) : E.right(formBody(written, contentType))
  }

const isPart = (value: unknown): value is PartToSend =>
  t.UnknownRecord.is(value) &&
  typeof value['name'] === 'string' &&
  ('file' in value || value['_tag'] === 'FormDataPart')

/** Converts an opened file to a part. */
const toFilePart = (name: string, { blob, fileName, contentType }: OpenedFile): Part => ({
  headers: formPartHeaders(name, fileName, contentType ?? 'application/octet-stream'),
  body: blob,
})

/** Writes a part in its representation: one part for each element of a collection, and at most one for any other value. */
const writeFormPart = async (
  { name, entity, representation, fileName, headers }: FormDataPart,
  options: BodyOptions,
  jsonSettings: JsonSettings,
): Promise<WrittenParts> => {
  if (entity === undefined || entity === null) return E.right([])
  const [plan] = bodyPlans([representation], [], options)
  if (plan === undefined)
    return unwritableBody(`invalid media type ${JSON.stringify(representation.mediaType)}`)
  const isRange = plan.contentType.includes('*')
  const partOf = (body: BodyContent, file?: OpenedFile): Part => {
    const type = (isRange ? file?.contentType : plan.contentType) ?? 'application/octet-stream'
    return { headers: formPartHeaders(name, fileName ?? file?.fileName, type, headers), body }
  }
  if (isTypedLater(plan))
    return E.map((file: OpenedFile) => [partOf(file.blob, file)])(await openSection(entity))
  const contentType =
    Headers.first(headers, 'content-type') ??
    (isRange ? 'application/octet-stream' : plan.contentType)
  return E.map((contents: ReadonlyArray<BodyContent>) => contents.map((body) => partOf(body)))(
    writeContents(entity, plan, contentType, jsonSettings),
  )
}

type WrittenContents = E.Either<ReadonlyArray<ValidationError>, ReadonlyArray<BodyContent>>

/** Writes the contents of the parts for a value. `contentType` determines the charset of text. */
const writeContents = (
  value: unknown,
  plan: BodyPlan,
  contentType: string,
  jsonSettings: JsonSettings,
): WrittenContents => {
  const { format } = plan
  const encodeAll: (contents: ReadonlyArray<string | Uint8Array>) => WrittenContents =
    E.traverseArray((content) => encodeContent(contentType, content))
  if (format._tag === 'Text' && format.codec !== undefined) {
    const values = valuesEncoder(format.codec)(value)
    return E.isLeft(values) ? unwritableBody(values.left) : encodeAll(values.right)
  }
  const openStream = sourceWriter(plan, jsonSettings)
  if (openStream !== undefined)
    return isSource(value) ? E.right([openStream(value, contentType)]) : invalidSource
  const write = bodyWriter(plan, jsonSettings)
  if (write === undefined) return unwritableBody(`cannot be sent as ${plan.contentType}`)
  return E.chain((content: string | Uint8Array | undefined) =>
    encodeAll(content === undefined ? [] : [content]),
  )(write(value))
}

/** The validation error for a value that must be a source. */
export const invalidSource = unwritableBody(
  'must be a source: an iterable, a stream or an observable',
)

/** Opens a {@link FileToSend}, a file path, or a file section created with `filePart`. */
const openSection = async (
  entity: unknown,
): Promise<E.Either<ReadonlyArray<ValidationError>, OpenedFile>> => {
  const part =
    typeof entity === 'object' && entity !== null && isFilePart(entity) ? entity : undefined
  const source = part === undefined ? entity : part.file
  const toSend = typeof source === 'string' ? { path: source } : source
  if (!isFileToSend(toSend)) return unwritableBody('must be the path of a file')
  const file = await openFile(toSend)
  if (E.isLeft(file)) return unwritableBody(file.left)
  if (part === undefined) return file
  const { blob } = file.right
  const end = part.offset + part.count
  return end > blob.size
    ? unwritableBody('must not extend beyond the end of the file')
    : E.right({ ...file.right, blob: blob.slice(part.offset, end) })
}
