/** Writes declared multipart forms, which consist of text parts, files and structured parts. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import type { Codec } from '../../codec/codec.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { AnyFormPart } from '../../endpoint/body.ts'
import { isFormPart } from '../../endpoint/body.ts'
import type { ValidationError } from '../../http/failure.ts'
import { unwritableBody } from './plain-body.ts'
import { openFile } from './body-writer.ts'
import type { AnyCallInput } from './parameter-values.ts'
import { groupEncoder, membersOf, parametersOf } from './parameter-values.ts'
import type { BodyEnvironment } from './body-writer.ts'
import { formMapWriter, textFields } from './query-writer.ts'
import type { FurtherBodies } from './request-body.ts'
import { requestBody } from './request-body.ts'
import type { WrittenPart, WrittenParts } from './multipart-body.ts'
import { toFilePart } from './multipart-body.ts'

/** Writes the parts of a form. Adds a validation error to `errors` for each invalid part. */
export type WriteForm = (
  input: AnyCallInput,
  errors: ValidationError[],
) => Promise<ReadonlyArray<WrittenPart>>

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
  const encodeTextParts = groupEncoder(parametersOf('form', textFields(declared)))
  const writeMaps = formMapWriter(declared)
  const parts = [...declared].flatMap(([name, part]) =>
    isFormPart(part) ? [[name, partWriter(name, part, environment, furtherBodies)] as const] : [],
  )
  return async (input, errors) => {
    const written: WrittenPart[] = encodeTextParts(input, errors).flatMap(({ name, values }) =>
      values.map((text) => textPart(name, text)),
    )
    written.push(...writeMaps(input, errors).map(([name, text]) => textPart(name, text)))
    const members = membersOf(input, 'form')
    for (const [name, write] of parts) {
      const result = await write(Object.hasOwn(members, name) ? members[name] : undefined)
      if (E.isRight(result)) written.push(...result.right)
      else errors.push(...result.left.map((error) => ({ ...error, in: 'form' as const, name })))
    }
    return written
  }
}

const textPart = (name: string, text: string): WrittenPart => ({
  headers: ['Content-Disposition', ContentDisposition.formData(name)],
  content: text,
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
  const written: WrittenPart[] = []
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
  const { valueWriter, writeIntercepted } = furtherBodies({ ...environment, entities })
  const write = requestBody(plans, entities, environment.jsonSettings, {
    valueWriter,
    writeIntercepted,
    streamWriter: () => undefined,
  })
  return async (value) => {
    if (value === undefined) return missing
    const written = await write(value, undefined)
    if (E.isLeft(written)) return written
    const body = written.right
    if (body === undefined) return missing
    return E.right([
      {
        headers: [
          'Content-Disposition',
          ContentDisposition.formData(name),
          'Content-Type',
          body.contentType,
          ...body.headers,
        ],
        content: body.content,
      },
    ])
  }
}
