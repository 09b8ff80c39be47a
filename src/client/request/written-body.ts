/**
 * Defines written request bodies, opens the files in them, and creates validation errors for values that cannot be
 * written.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { FormDataPart } from '../../endpoint/multipart.ts'
import { bodyErrors } from '../../body/read-body.ts'
import { rejectingCodec } from '../../codec/constraint.ts'
import { expectedTypes } from '../../codec/from-string.ts'
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { rejectedMember, withOmittedMembers } from './omitted-members.ts'
import { encodeFor } from '../../body/charset.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { ClientBody } from '../exchange.ts'
import { isBlob, isError, messageOf } from '../../http/platform-value.ts'

/**
 * A file to send: a `Blob`, a `File` or, on runtimes with a file system, the path of a file.
 *
 * A `File` is sent with its own name. Any other `Blob` is sent with the file name `blob`, as in browsers. If a file is
 * given by its path, the default file name is the last segment of the path. If the media type is unknown,
 * `application/octet-stream` is used.
 */
export type FileToSend =
  | Blob
  | { readonly path: string; readonly fileName?: string; readonly contentType?: string }

/** A form part to send: a file, or a part created with `formDataPart`. */
export type PartToSend = FormDataPart | FilePartToSend

/** A form part that contains a file. */
export interface FilePartToSend {
  readonly name: string
  readonly file: FileToSend
}

/** An opened file. */
export interface OpenedFile {
  readonly blob: Blob
  readonly fileName: string
  /** Media type, or `undefined` if it is unknown. */
  readonly contentType: string | undefined
}

/** Whether a value is a file or an object that contains the path of a file. */
export const isFileToSend = (value: unknown): value is FileToSend =>
  isBlob(value) ||
  (typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    isOptionalString(value, 'fileName') &&
    isOptionalString(value, 'contentType'))

const isOptionalString = (value: object, member: string): boolean => {
  const text: unknown = Reflect.get(value, member)
  return text === undefined || typeof text === 'string'
}

/** Opens a file without reading it. If the file cannot be opened, returns a `Left` that contains the reason. */
export const openFile = async (file: unknown): Promise<E.Either<string, OpenedFile>> => {
  if (!isFileToSend(file)) return E.left('must be a file')
  if (isBlob(file))
    return E.right({
      blob: file,
      fileName: 'name' in file && typeof file.name === 'string' ? file.name : 'blob',
      contentType: file.type === '' ? undefined : file.type,
    })
  const { path, contentType, fileName = baseName(path) } = file
  const openBlob = fileSystem()
  if (openBlob === undefined)
    return E.left('must be a Blob, because this runtime has no file system')
  try {
    const blob = await openBlob(path)
    return blob === undefined
      ? E.left(`must be the path of a file, got ${JSON.stringify(path)}`)
      : E.right({ blob, fileName, contentType })
  } catch (error) {
    return E.left(`cannot be read: ${messageOf(error)}`)
  }
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/**
 * Returns a function that opens a file as a `Blob`, or `undefined` if the runtime has no file system. The function
 * resolves to `undefined` if the path does not refer to a regular file, for example, if it refers to a directory.
 */
const fileSystem = (): ((path: string) => Promise<Blob | undefined>) | undefined => {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    return undefined
  const { openAsBlob, promises } = process.getBuiltinModule('node:fs')
  return async (path) => ((await promises.stat(path)).isFile() ? openAsBlob(path) : undefined)
}

/** A buffered body, or a function that opens a streamed body. */
export type BodyContent = string | Uint8Array | Blob | OpenStream

/** Function that opens a streamed body. */
export type OpenStream = () => AsyncIterable<Uint8Array>

/** Converts the content of a written body to a `ClientBody`. */
export const toClientBody = (content: BodyContent): ClientBody =>
  typeof content === 'function'
    ? { _tag: 'Streamed', open: content }
    : { _tag: 'Buffered', data: content }

/** A value written as text or bytes, or `undefined` if the request has no body. A `Left` contains validation errors. */
export type Written = E.Either<ReadonlyArray<ValidationError>, string | Uint8Array | undefined>

/** The content of a request body and the headers to send with it. */
export interface RequestBody {
  readonly contentType: string
  readonly content: BodyContent
  /** Headers added by custom writers. */
  readonly headers: Headers
}

/** A written request body, or `undefined` if the request has no body. A `Left` contains validation errors. */
export type WrittenBody = E.Either<ReadonlyArray<ValidationError>, RequestBody | undefined>

/**
 * Encodes text in the charset specified in the `Content-Type` header. Returns a `Left` if the charset cannot represent
 * a character in the text.
 */
export const encodeContent = (
  contentType: string,
  content: string | Uint8Array,
): E.Either<ReadonlyArray<ValidationError>, string | Uint8Array> => {
  if (typeof content !== 'string') return E.right(content)
  try {
    return E.right(encodeFor(contentType, content))
  } catch (error) {
    return unwritableBody(isError(error) ? error.message : 'cannot be written')
  }
}

/** Creates the validation error for a body that cannot be written. */
export const unwritableBody = (detail: string): E.Either<ReadonlyArray<ValidationError>, never> =>
  E.left([{ in: 'body', pointer: '#', detail }])

/**
 * Creates a function that validates a value with a codec and then writes it.
 *
 * If the value is invalid, the created function returns the validation errors of the codec. A missing value is valid if
 * the codec accepts `undefined`. In that case, the request has no body.
 */
export const withValidation = (
  codec: Codec,
  backEnd: BackEnd,
  write: (value: unknown) => Written,
): ((value: unknown) => Written) => {
  const { is, encode, decode } = compileCodec(codec, 'drop', backEnd)
  const catchErrors = (value: unknown): Written => {
    try {
      return write(value)
    } catch (error) {
      return unwritableBody(isError(error) ? error.message : 'cannot be written')
    }
  }
  return (value) => {
    let completed: unknown = value
    try {
      if (value === null && !is(null)) return is(undefined) ? absent : missing(codec)
      if (value === undefined) return E.isRight(decode(undefined)) ? absent : missing(codec)
      if (is(value)) return catchErrors(value)
      completed = withOmittedMembers(codec, value)
      if (is(completed)) return catchErrors(completed)
      const read = decode(encode(completed))
      if (E.isLeft(read)) return E.left(bodyErrors(read.left))
    } catch {
      // a codec can throw an exception for an invalid value
    }
    return E.left([rejectedMember(codec, completed)])
  }
}

const absent: Written = E.right(undefined)

const missing = (codec: Codec): Written =>
  unwritableBody(expectedTypes([rejectingCodec(codec, undefined).name], true))
