/**
 * Parses the headers of the parts in a multipart body, enforces limits, and determines which parts are files. Stores uploaded files, and
 * deletes them at the end of the request.
 */
import { limitName, limitOfSetting, smallerLimit } from '../../../compiler/settings/body-limit.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { SizeLimit } from '../../../compiler/settings/body-limit.ts'
import type { HttpError } from '../../../endpoint/http-error.ts'
import { failureError, readError } from '../../errors/error-response.ts'
import * as Failures from '../../../http/failure.ts'
import type { PartHead } from '../../../http/part-headers.ts'
import type {
  MultipartSource,
  PartContent,
  PartErrors,
  PartLimits,
} from '../../../body/multipart/read-parts.ts'
import { partHead, readParts } from '../../../body/multipart/read-parts.ts'
import type {
  BodyStream,
  Exchange,
  FileSystem,
  NewFile,
  Platform,
  SplitParts,
} from '../../exchange.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import type { MemoryReservation } from '../../memory-reservation.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as Boundary from '../../../http/part-headers.ts'
import * as MediaType from '../../../http/media-type.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Text from '../../../body/decode-body.ts'
import type { Context } from '../../../endpoint/context.ts'

/** Limits for multipart bodies. */
export interface MultipartLimits extends PartLimits {
  /** Size limit for a non-file part that is read as a stream. */
  readonly attribute: SizeLimit
  /** Size limit for a non-file part that is read into memory as a whole. */
  readonly parsedAttribute: SizeLimit
  /** Size limit for a file. */
  readonly fileSize: SizeLimit
  /** Maximum number of files. */
  readonly files: number
  /** Name of the limit on the number of files in error messages. */
  readonly filesName: string
  /** Maximum number of parts. */
  readonly parts: number
  /** Name of the limit on the number of parts in error messages. */
  readonly partsName: string
}

/** Returns the limits defined by the settings. */
export const multipartLimits = (settings: Settings): MultipartLimits => {
  const attribute = limitOfSetting('fw.http.limits.max-form-attribute-size', settings)
  const parts = settings['fw.http.limits.max-multipart-parts']
  return {
    attribute,
    parsedAttribute: smallerLimit(
      attribute,
      limitOfSetting('fw.http.limits.max-parsed-body-size', settings),
    ),
    fileSize: limitOfSetting('fw.http.limits.max-multipart-file-size', settings),
    files: settings['fw.http.limits.max-multipart-files'],
    filesName: limitName('fw.http.limits.max-multipart-files', settings),
    parts: parts ?? settings['fw.http.limits.max-parameters'],
    partsName: limitName(
      parts === undefined ? 'fw.http.limits.max-parameters' : 'fw.http.limits.max-multipart-parts',
      settings,
    ),
    headerSize: settings['fw.http.limits.max-multipart-part-header-size'],
    headerSizeName: limitName('fw.http.limits.max-multipart-part-header-size', settings),
    headerCount: settings['fw.http.limits.max-multipart-part-header-count'],
    headerCountName: limitName('fw.http.limits.max-multipart-part-header-count', settings),
    headerCharset: settings['fw.rest.multipart.input-part.default-charset'],
  }
}

/** Creates a 400 error for a malformed multipart body. */
const malformedMultipart = (detail: string): HttpError =>
  failureError(Failures.ofErrors('InvalidInput', [{ in: 'body', pointer: '#', detail }]), '')

/** Creates a 413 error. `detail` states which limit was exceeded. */
export const multipartTooLarge = (detail: string): HttpError =>
  failureError({ _tag: 'ContentTooLarge', detail }, '')

const multipartErrors: PartErrors = { malformed: malformedMultipart, tooLarge: multipartTooLarge }

/**
 * Creates the function that splits the bodies of a platform with a parser. Only the header section of each part is buffered. `isDrained`
 * is described in {@link MultipartSource}.
 */
export const createSplitter =
  (loadParser: MultipartSource['loadParser'], isDrained: boolean): SplitParts =>
  (chunks, boundary, limits, free) =>
    readParts({ chunks, boundary, loadParser, limits, errors: multipartErrors, free, isDrained })

/** The head of a part and its body as a stream. */
export interface ReceivedPart extends PartHead {
  readonly body: PartContent
}

/** Yields the parts of a body. Rejects with an `HttpError` if the body is malformed or has too many parts. */
export async function* partsOf(
  { splitParts }: Pick<Platform, 'splitParts'>,
  chunks: BodyStream,
  contentType: MediaType.MediaType | undefined,
  limits: MultipartLimits,
  free?: BodyStream['free'],
): AsyncGenerator<ReceivedPart, undefined> {
  const boundary = O.toUndefined(Boundary.boundaryOf(contentType))
  if (boundary === undefined)
    throw malformedMultipart('missing or invalid boundary in Content-Type')
  let parts = 0
  for await (const { headers, body } of splitParts(chunks, boundary, limits, free)) {
    if (++parts > limits.parts)
      throw multipartTooLarge(`The form has more than ${limits.parts} parts (${limits.partsName}).`)
    yield { ...partHead(headers, multipartErrors), body }
  }
}

/**
 * Returns a predicate that identifies file parts. A part is a file if it has a file name or a media type listed in
 * `fw.http.body.multipart.file-content-types`.
 */
export const filePartCheck = (settings: Settings): ((part: ReceivedPart) => boolean) => {
  const ranges = settings['fw.http.body.multipart.file-content-types'].flatMap((text) => {
    const range = MediaType.parse(text)
    return O.isSome(range) ? [range.value] : []
  })
  return ({ fileName, mediaType }) =>
    fileName !== undefined ||
    (mediaType !== undefined && ranges.some((range) => MediaType.includes(range, mediaType)))
}

/** Returns the body of a part that is not a file. Reading fails with a 413 error if the body exceeds the limit. */
export const attributeByteLimit = (
  part: ReceivedPart,
  { bytes, setting }: SizeLimit,
): PartContent =>
  part.body.limit(bytes, () =>
    multipartTooLarge(
      `The form field ${quotedName(part)} is larger than ${bytes} bytes (${setting}).`,
    ),
  )

/** Returns the body of an uploaded file. Reading fails with a 413 error if the file exceeds the size limit. */
export const fileByteLimit = (part: ReceivedPart, { fileSize }: MultipartLimits): PartContent =>
  part.body.limit(fileSize.bytes, () =>
    multipartTooLarge(
      `The file ${quotedName(part)} is larger than ${fileSize.bytes} bytes (${fileSize.setting}).`,
    ),
  )

/** Creates a 413 error for a form with too many files. */
export const tooManyFilesError = ({ files, filesName }: MultipartLimits): Error =>
  multipartTooLarge(`The number of files in the form exceeds ${files} (${filesName}).`)

/** Returns the name of a part in quotes, truncated to 100 characters. */
const quotedName = ({ name }: ReceivedPart): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name)

/**
 * Buffers a part that is not a file. Rejects with a 413 error if the part exceeds the limit, and with a 503 error if no body
 * memory is free.
 */
export const readAttribute = async (
  part: ReceivedPart,
  { parsedAttribute }: MultipartLimits,
  reservation: MemoryReservation | undefined,
): Promise<Uint8Array> => {
  const collected = new ByteCollector()
  // each chunk is copied, because its memory is reused for the next chunk
  for await (const chunk of attributeByteLimit(part, parsedAttribute)) {
    if (reservation?.receive(chunk.length) === false) throw readError(reservation.rejected())
    collected.addCopy(chunk)
  }
  return collected.take()
}

/**
 * Decodes the text in a part, using the charset of the part or `defaultCharset`. Throws a 415 error if the charset is unknown,
 * and a 400 error if the bytes are invalid for the charset.
 */
export const attributeText = (
  bytes: Uint8Array,
  { charset }: ReceivedPart,
  defaultCharset: string,
): string => {
  const text = Text.decodeText(bytes, charset ?? defaultCharset)
  if (E.isLeft(text)) throw failureError(text.left, '')
  return text.right
}

/** The body of a part, stored in a file or in memory. */
export type ReceivedBody =
  | { readonly _tag: 'File'; readonly path: string; readonly size: number }
  | { readonly _tag: 'Memory'; readonly bytes: Uint8Array }

/** Receives the files uploaded in one request. */
export class ReceivedFiles {
  readonly #files: FileSystem
  readonly #reservation: MemoryReservation | undefined
  readonly #limits: MultipartLimits
  readonly #created: NewFile[] = []
  #count = 0
  #isOver = false

  /** Files are deleted at the end of the request, unless `areKept` is set. */
  constructor(
    { platform, reservation }: Pick<Exchange, 'platform' | 'reservation'>,
    limits: MultipartLimits,
    { onEnd }: Context,
    areKept: boolean,
  ) {
    this.#files = platform.files
    this.#reservation = reservation
    this.#limits = limits
    if (!areKept) onEnd(() => this.delete())
  }

  /** Stores a file on disk, or in memory if the runtime has no files. Rejects with a 413 error if the file is too large or there are too many files. */
  async receive(part: ReceivedPart): Promise<ReceivedBody> {
    if (this.#files.isMissing === true) return this.receiveAbove(Infinity, part)
    return this.#write(this.#openPart(part), nothing)
  }

  /**
   * Keeps a file in memory if it has at most `threshold` bytes and fits into the available body memory. Otherwise, stores it on
   * disk. If the runtime has no files, the file is kept in memory, or a 503 error is reported.
   */
  async receiveAbove(threshold: number, part: ReceivedPart): Promise<ReceivedBody> {
    const bytes = this.#openPart(part)
    const buffered = new ByteCollector()
    for (;;) {
      const { done, value } = await bytes.next()
      if (done === true) return { _tag: 'Memory', bytes: buffered.take() }
      // each chunk is copied, because its memory is reused for the next chunk
      buffered.addCopy(value)
      const hasRoom = this.#reservation?.receive(value.length) ?? true
      if (hasRoom && buffered.length <= threshold) continue
      if (this.#files.isMissing === true) {
        if (hasRoom) continue
        throw readError(this.#reservation?.rejected() ?? { _tag: 'BodyMemoryExhausted' })
      }
      const held = buffered.take()
      const received = await this.#write(bytes, held)
      this.#reservation?.discard(held.length)
      return received
    }
  }

  /** Discards the body of a file. The file still counts towards the maximum number of files. */
  async skip(part: ReceivedPart): Promise<void> {
    const bytes = this.#openPart(part)
    while ((await bytes.next()).done !== true);
  }

  /** Deletes all files that were stored on disk for the request. */
  async delete(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#created.splice(0).map((file) => file.delete()))
  }

  /** Creates a file that contains `prefix`, followed by `bytes`. */
  async #write(bytes: AsyncIterable<Uint8Array>, prefix: Uint8Array): Promise<ReceivedBody> {
    const file = await this.#files.create()
    this.#created.push(file)
    // the request may have ended while the file was created
    if (this.#isOver) await this.delete()
    let size = 0
    const write = async (chunk: Uint8Array): Promise<void> => {
      size += chunk.length
      await file.write(chunk)
    }
    if (prefix.length > 0) await write(prefix)
    for await (const chunk of bytes) await write(chunk)
    await file.close()
    return { _tag: 'File', path: file.path, size }
  }

  /** Increments the number of files, and returns the body of a part. Throws an error if there are too many files. */
  #openPart(part: ReceivedPart): PartContent {
    if (++this.#count > this.#limits.files) throw tooManyFilesError(this.#limits)
    return fileByteLimit(part, this.#limits)
  }
}

const nothing = new Uint8Array(0)

/** Reads a whole file. */
export const readFile = async (files: FileSystem, path: string): Promise<Uint8Array> => {
  const file = await files.open(path)
  try {
    const bytes = new ByteCollector()
    let position = 0
    while (position < file.size) {
      const chunk = await file.read(position, file.size - position)
      if (chunk.length === 0) break
      bytes.add(chunk)
      position += chunk.length
    }
    return bytes.take()
  } finally {
    await file.close()
  }
}
