/** Writes declared multipart forms: texts, files and structured parts. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { AnyFormPart } from '../../endpoint/form.ts'
import { isFormPart } from '../../endpoint/form.ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import type { ValidationError } from '../../http/failure.ts'
import { openFile } from './file-to-send.ts'
import type { Input } from './call-input.ts'
import { gathering, membersOf, parametersOf } from './call-input.ts'
import type { BodyEnvironment } from '../body-environment.ts'
import { requestBody } from './request-body.ts'
import { unwritable } from './written-body.ts'
import type { WrittenPart } from './multipart-body.ts'
import type { WrittenParts } from './part-list.ts'
import { fileWritten } from './part-list.ts'

export type WriteForm = (
  input: Input,
  errors: ValidationError[],
) => Promise<ReadonlyArray<WrittenPart>>

type WriteValue = (value: unknown) => Promise<WrittenParts>

/**
 * Prepares writing; `Left` with the media types of parts that a client does not write. Texts come first, so that who reads the form
 * in pieces knows them before it meets a file.
 */
export const multipartWriter = (
  declared: ReadonlyMap<string, Codec>,
  environment: BodyEnvironment,
): E.Either<ReadonlyArray<string>, WriteForm> => {
  const texts = new Map([...declared].filter(([, one]) => !isFormPart(one)))
  const gather = gathering(parametersOf('form', texts))
  const parts: Array<readonly [name: string, write: WriteValue]> = []
  const unwritten: string[] = []
  for (const [name, one] of declared) {
    if (!isFormPart(one)) continue
    const write = partWriter(name, one, environment)
    if (E.isRight(write)) parts.push([name, write.right])
    else unwritten.push(...write.left)
  }
  if (unwritten.length > 0) return E.left(unwritten)
  return E.right(async (input, errors) => {
    const written: WrittenPart[] = gather(input, errors).flatMap(({ name, texts: all }) =>
      all.map((text) => ({
        headers: ['Content-Disposition', ContentDisposition.formData(name)],
        content: text,
      })),
    )
    const values = membersOf(input, 'form')
    for (const [name, write] of parts) {
      const result = await write(Object.hasOwn(values, name) ? values[name] : undefined)
      if (E.isRight(result)) written.push(...result.right)
      else errors.push(...result.left.map((fault) => ({ ...fault, in: 'form' as const, name })))
    }
    return written
  })
}

const partWriter = (
  name: string,
  { kind, isOptional, representation }: AnyFormPart,
  environment: BodyEnvironment,
): E.Either<ReadonlyArray<string>, WriteValue> => {
  const missing: WrittenParts = isOptional ? E.right([]) : unwritable('is required')
  switch (kind) {
    case 'upload':
      return E.right(async (file) =>
        file === undefined || file === null ? missing : files(name, [file]),
      )
    case 'uploads':
    case 'allUploads':
      return E.right(async (all) =>
        t.UnknownArray.is(all)
          ? files(name, all)
          : all === undefined || all === null
            ? missing
            : unwritable('must be a list of files'),
      )
    case 'part':
      return structure(
        name,
        representation === undefined ? [] : [representation],
        missing,
        environment,
      )
  }
}

const files = async (name: string, all: ReadonlyArray<unknown>): Promise<WrittenParts> => {
  const written: WrittenPart[] = []
  for (const one of all) {
    const file = await openFile(one)
    if (E.isLeft(file)) return unwritable(file.left)
    written.push(fileWritten(name, file.right))
  }
  return E.right(written)
}

/** Interceptors see whole bodies only. */
const structure = (
  name: string,
  representations: Parameters<typeof bodyPlans>[0],
  missing: WrittenParts,
  environment: BodyEnvironment,
): E.Either<ReadonlyArray<string>, WriteValue> => {
  const { entities } = environment
  const contents = bodyPlans(representations, entities.writers, entities)
  const write = requestBody(contents, {
    ...environment,
    entities: { ...entities, writerInterceptors: [] },
  })
  if (E.isLeft(write)) return write
  return E.right(async (value) => {
    if (value === undefined) return missing
    const written = await write.right(value, undefined)
    if (E.isLeft(written)) return written
    const sent = written.right
    if (sent === undefined) return missing
    return E.right([
      {
        headers: [
          'Content-Disposition',
          ContentDisposition.formData(name),
          'Content-Type',
          sent.contentType,
          ...sent.headers,
        ],
        content: sent.content,
      },
    ])
  })
}
