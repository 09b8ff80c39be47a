/** Reads the declared fields and parts of a multipart form and collects all validation errors. */
import type { Context } from '../../../endpoint/context.ts'
import type { RequestFailure, ValidationError } from '../../../http/failure.ts'
import { causeOf } from '../../../body/decode-body.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import type { Plan, PartPlan } from '../../../compiler/plan.ts'
import { isBuiltIn } from '../../../body/body-plan.ts'
import { entityReaders } from '../buffered-body.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { failureOf } from '../../errors/error-response.ts'
import type { ReceivedPart, MultipartLimits, ReceivedBody } from './parts.ts'
import {
  multipartTooLarge,
  readAttribute,
  attributeText,
  filePartCheck,
  partsOf,
  multipartLimits,
  readFile,
  ReceivedFiles,
} from './parts.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { FileUpload } from '../../../endpoint/body.ts'
import type { Exchange, FileSystem } from '../../exchange.ts'
import { chunkReleaser } from '../../exchange.ts'
import { UnreadablePart } from '../../../endpoint/http-error.ts'
import type { HandlerInput } from '../../parameters/read-parameters.ts'
import { readGroup, noValues } from '../../parameters/read-parameters.ts'
import type { ReadStream } from '../buffered-body.ts'
import * as Failures from '../../../http/failure.ts'

/** A part whose body is buffered. */
export interface BufferedPart {
  readonly part: ReceivedPart
  readonly bytes: Uint8Array
}

/** The validation errors for a part, and the underlying error, if there is one. */
export interface InvalidPart {
  readonly errors: ReadonlyArray<ValidationError>
  readonly cause: unknown
}

/** Reads the value of a part. If the application's reader throws an `HttpError`, the promise rejects with that error. */
export type ReadPart = (
  buffered: BufferedPart,
  context: Context,
) => Promise<E.Either<InvalidPart, unknown>>

/** Returns the reader for a part. Reader interceptors run only for entire bodies, not for individual parts. */
const partReader = (body: BodyPlan, plan: Plan, settings: Settings): ReadPart => {
  const entities = { ...plan.chain.entities, readerInterceptors: [] }
  const partPlan = { ...plan, bodies: [body], chain: { ...plan.chain, entities } }
  const [read] = entityReaders(partPlan, settings)
  return async ({ part, bytes }, context) => {
    const isOwn = isBuiltIn(body)
    try {
      const value = await read?.(bytes, isOwn ? part.mediaType : undefined, () => context)
      return E.mapLeft(toInvalidPart(part))(value ?? E.right(undefined))
    } catch (error) {
      const failure = isOwn ? undefined : failureOf(error)
      if (failure === undefined || failure._tag === 'ContentTooLarge') throw error
      return E.left({ ...toInvalidPart(part)(failure), cause: error })
    }
  }
}
/**
 * Returns a function that converts a failure in a part to validation errors for the form. A 413 failure is thrown as an error
 * instead, because it concerns the entire body.
 */
const toInvalidPart =
  ({ name }: ReceivedPart) =>
  (failure: RequestFailure): InvalidPart => {
    if (failure._tag === 'ContentTooLarge')
      throw multipartTooLarge(`Invalid part ${JSON.stringify(name)}. ${failure.detail}`)
    return {
      errors:
        'errors' in failure
          ? failure.errors.map((error) => ({ ...error, in: 'form', name }))
          : [{ in: 'form', name, detail: 'unsupported charset' }],
      cause: causeOf(failure),
    }
  }

/** How a declared field is read: as text, as a structure decoded by a body reader, or as a file. */
export type FieldKind = 'text' | 'structure' | 'file'

/** The fields that a form declares. */
export interface DeclaredFields {
  readonly names: ReadonlyMap<string, FieldKind>
  /** Whether files with undeclared names are collected. */
  readonly acceptsAllFiles: boolean
  /** Whether text parts with undeclared names are collected. */
  readonly acceptsAllTexts: boolean
  /** Returns whether an undeclared part is a file. */
  readonly isFile: (part: ReceivedPart) => boolean
  /** The charset of text parts that do not specify one. */
  readonly charset: string
}

/** The parts of a form, grouped by kind, before their values are decoded. */
export interface CollectedForm {
  readonly texts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly structures: ReadonlyMap<string, ReadonlyArray<BufferedPart>>
  readonly uploads: ReadonlyArray<FileUpload>
}

/**
 * Groups the parts of a form by kind. Text is decoded and files are stored. Parts that the form does not accept are read and
 * discarded.
 */
const collectForm = async (
  parts: AsyncIterable<ReceivedPart>,
  { names, acceptsAllFiles, acceptsAllTexts, isFile, charset }: DeclaredFields,
  files: ReceivedFiles,
  limits: MultipartLimits,
  { platform, reservation }: Pick<Exchange, 'platform' | 'reservation'>,
): Promise<CollectedForm> => {
  const texts = new Map<string, string[]>()
  const structures = new Map<string, BufferedPart[]>()
  const uploads: FileUpload[] = []
  for await (const part of parts) {
    const kind =
      names.get(part.name) ?? (isFile(part) ? 'other file' : acceptsAllTexts ? 'text' : undefined)
    if (kind === 'text')
      append(
        texts,
        part.name,
        attributeText(await readAttribute(part, limits, reservation), part, charset),
      )
    else if (kind === 'structure')
      append(structures, part.name, {
        part,
        bytes: await readAttribute(part, limits, reservation),
      })
    else if (kind === 'file' || (kind === 'other file' && acceptsAllFiles)) {
      const received = await receive(part, files)
      if (received._tag === 'File') uploads.push(storedUpload(part, received, platform.files))
      else if (isSelected(part, received)) uploads.push(uploadInMemory(part, received.bytes))
    } else if (kind === 'other file') await files.skip(part)
    else await readAttribute(part, limits, reservation)
  }
  return { texts, structures, uploads }
}

/** Stores a file. An empty part without a file name is not stored. */
const receive = (part: ReceivedPart, files: ReceivedFiles): Promise<ReceivedBody> =>
  part.fileName === undefined || part.fileName === ''
    ? files.receiveAbove(0, part)
    : files.receive(part)

const append = <A>(lists: Map<string, A[]>, name: string, value: A): void => {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [value])
  else list.push(value)
}

/** Whether a file was selected. Browsers send an empty part without a file name otherwise. */
const isSelected = (
  { fileName = '' }: ReceivedPart,
  { bytes }: Extract<ReceivedBody, { readonly _tag: 'Memory' }>,
): boolean => fileName !== '' || bytes.length > 0

const storedUpload = (
  { name, fileName = '', contentType = defaultType, charset, headers }: ReceivedPart,
  { path, size }: Extract<ReceivedBody, { readonly _tag: 'File' }>,
  files: FileSystem,
): FileUpload => {
  const read = (): Promise<Uint8Array> => readFile(files, path)
  return { name, fileName, path, size, contentType, charset, headers, read }
}

const uploadInMemory = (
  { name, fileName = '', contentType = defaultType, charset, headers }: ReceivedPart,
  bytes: Uint8Array,
): FileUpload => ({
  name,
  fileName,
  get path(): string {
    throw new TypeError('a file in memory has no path: call read()')
  },
  size: bytes.length,
  contentType,
  charset,
  headers,
  read: () => Promise.resolve(bytes),
})

const defaultType = 'application/octet-stream'

/** Returns the reader for a declared multipart form. If a form is invalid, its files are deleted immediately. */
export const multipartFormReader = (plan: Plan, settings: Settings): ReadStream => {
  const limits = multipartLimits(settings)
  const areKept = !settings['fw.http.body.delete-uploaded-files-on-end']
  const declared = declaredFields(plan, settings)
  const read = readForm(plan, settings)
  return async (chunks, contentType, exchange, context) => {
    const files = new ReceivedFiles(exchange, limits, context, areKept)
    try {
      const parts = partsOf(exchange.platform, chunks, contentType, limits, chunkReleaser(chunks))
      const form = await read(await collectForm(parts, declared, files, limits, exchange), context)
      if (E.isLeft(form)) await files.delete()
      return form
    } catch (error) {
      await files.delete()
      throw error
    }
  }
}

const declaredFields = ({ parameters, parts }: Plan, settings: Settings): DeclaredFields => ({
  names: new Map<string, FieldKind>([
    ...parameters.form.map(({ name }) => [name, 'text'] as const),
    ...parts.flatMap(({ key, kind }): ReadonlyArray<readonly [string, FieldKind]> =>
      kind === 'allUploads' || kind === 'allFields'
        ? []
        : [[key, kind === 'part' ? 'structure' : 'file']],
    ),
  ]),
  acceptsAllFiles: parts.some(({ kind }) => kind === 'allUploads'),
  acceptsAllTexts: parts.some(({ kind }) => kind === 'allFields'),
  isFile: filePartCheck(settings),
  charset: settings['fw.rest.multipart.input-part.default-charset'],
})

type Result = E.Either<InvalidPart | ValidationError, unknown>

type ReadPartValue = (form: CollectedForm, context: Context) => Result | Promise<Result>

/**
 * Returns a function that reads the values from a collected form. The function rejects with `UnreadablePart` if a part cannot be
 * read.
 */
const readForm = (
  plan: Plan,
  settings: Settings,
): ((form: CollectedForm, context: Context) => Promise<E.Either<RequestFailure, HandlerInput>>) => {
  const fields = plan.parameters.form
  const readFields = readGroup(
    fields,
    {
      locate: (texts: CollectedForm['texts']) => texts,
      find:
        ({ name }) =>
        (texts) =>
          texts.get(name) ?? noValues,
    },
    settings,
  )
  const parts = plan.parts.map((part) => [part.key, partValueReader(part, plan, settings)] as const)
  return async (form, context) => {
    const read = readFields(form.texts)
    const values: HandlerInput = E.isRight(read) ? { ...read.right } : {}
    const errors: ValidationError[] = E.isLeft(read) ? [...read.left] : []
    const unreadable: Array<readonly [string, InvalidPart]> = []
    for (const [key, readValue] of parts) {
      const result = await readValue(form, context)
      if (E.isRight(result)) values[key] = result.right
      else if ('errors' in result.left) unreadable.push([key, result.left])
      else errors.push(result.left)
    }
    const [first] = unreadable
    if (first !== undefined) {
      const all = [...errors, ...unreadable.flatMap(([, part]) => part.errors)]
      const { errors: reported, more: truncated } = Failures.limitErrors(all)
      const [name, { cause }] = first
      throw new UnreadablePart(name, { cause, errors: reported, truncated })
    }
    return errors.length > 0 ? E.left(Failures.ofErrors('InvalidInput', errors)) : E.right(values)
  }
}

const partValueReader = (part: PartPlan, plan: Plan, settings: Settings): ReadPartValue => {
  const { key, kind, isOptional, body } = part
  const isOnce = settings['fw.rest.duplicate-scalar'] === 'reject'
  const errorOf = (detail: string): E.Either<ValidationError, never> =>
    E.left({ in: 'form', name: key, detail })
  const single = <A, B>(list: ReadonlyArray<A>, then: (value: A) => B): B | Result => {
    const [first, ...more] = list
    if (first === undefined)
      return isOptional
        ? E.right(undefined)
        : errorOf(`is required${kind === 'part' ? '' : ' and must be a file'}`)
    return isOnce && more.length > 0 ? errorOf('must not occur more than once') : then(first)
  }
  const all = (list: ReadonlyArray<unknown>): Result =>
    E.right(isOptional && list.length === 0 ? undefined : list)
  const read: ReadPart | undefined =
    body === undefined ? undefined : partReader(body, plan, settings)
  switch (kind) {
    case 'upload':
      return ({ uploads }) =>
        single(
          uploads.filter(({ name }) => name === key),
          (first): Result => E.right(first),
        )
    case 'uploads':
      return ({ uploads }) => all(uploads.filter(({ name }) => name === key))
    case 'allUploads':
      return ({ uploads }) => all(uploads)
    case 'allFields':
      return ({ texts }) => E.right(texts)
    case 'part':
      return ({ structures }, context) =>
        single(structures.get(key) ?? [], (first) => read?.(first, context) ?? E.right(undefined))
  }
}
