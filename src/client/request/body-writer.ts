/**
 * Writes buffered request bodies in any format, and streamed request bodies. Opens the files in them, and creates the context passed to custom
 * readers and writers.
 */
import type { EntityProviders } from '../../body/entity-plan.ts'
import type { Context, EndpointInfo } from '../../endpoint/context.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Percent from '../../http/percent.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../../http/media-type.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { inputVisibility } from '../../body/body-plan.ts'
import { pairsOf } from './query-writer.ts'
import type { OpenStream, Written, WritePlain } from './plain-body.ts'
import { catchErrors, withValidation, unwritableBody, plainWriter } from './plain-body.ts'
import type { Encode } from '../../body/charset.ts'
import { encodingOf } from '../../body/charset.ts'
import type { PullIterator } from '../../body/stream/open-source.ts'
import type { Framing } from '../../body/stream/stream-format.ts'
import { openSource } from '../../body/stream/open-source.ts'
import type { FormDataPart } from '../../endpoint/multipart.ts'
import { isBlob, messageOf } from '../../http/platform-value.ts'

/** The providers and settings with which an operation reads and writes bodies. */
export interface BodyEnvironment {
  /** Readers, writers and interceptors that apply to the operation. */
  readonly entities: EntityProviders
  readonly endpoint: EndpointInfo
  /** Default JSON library, and the back end used to compile codecs. */
  readonly jsonSettings: JsonSettings
}

/**
 * Creates the context that a client passes to readers, writers and interceptors. Only `endpoint` is available. All
 * other members require a server, and accessing them on a client throws a `TypeError`.
 */
export const clientContext = (endpoint: EndpointInfo): Context => {
  const unavailable = (member: string): never => {
    throw new TypeError(
      `${endpoint.name}: context.${member} is not available on the client: restrict the function with onlyOn('server')`,
    )
  }
  return {
    endpoint,
    get request(): never {
      return unavailable('request')
    },
    get uri(): never {
      return unavailable('uri')
    },
    get security(): never {
      return unavailable('security')
    },
    get application(): never {
      return unavailable('application')
    },
    get response(): never {
      return unavailable('response')
    },
    onEnd: () => unavailable('onEnd'),
    logger: () => unavailable('logger'),
    elapsed: () => unavailable('elapsed'),
  }
}

/**
 * Creates a function that writes a buffered body. Returns `undefined` if the representation is streamed or the client
 * cannot write it.
 */
export const bodyWriter = (plan: BodyPlan, jsonSettings: JsonSettings): WritePlain | undefined => {
  const { format, json, visibility } = plan
  if (format._tag !== 'Json' && format._tag !== 'Problem') {
    const plain = plainWriter(plan, jsonSettings)
    if (plain !== undefined) return plain
  }
  switch (format._tag) {
    case 'Form':
    case 'Provider':
      return undefined
    case 'FormMap':
      return writeFormMap
    default: {
      const { codec, writer } = bodyFormat(format)
      const inputView = codec === undefined ? fullVisibility : inputVisibility(codec, visibility)
      const write = writer?.({ ...jsonSettings, json, visibility: inputView })
      if (write === undefined) return undefined
      return codec === undefined
        ? (value) => catchErrors(() => write(value))
        : withValidation(codec, jsonSettings.backEnd, (value) => E.right(write(value)))
    }
  }
}

const writeFormMap = (value: unknown): Written => {
  const pairs = pairsOf(value)
  return pairs === undefined
    ? unwritableBody('must be a map from names to lists of strings')
    : E.right(Percent.formatPairs(pairs.map(([name, text]) => [name, [text]])))
}

/**
 * Returns a function that returns the streamed body for a source. The source is opened when the iteration starts. Closing the iterator
 * closes the source, even while a read is pending. Returns `undefined` if the representation is not a stream of elements.
 */
export const sourceWriter = (
  plan: BodyPlan,
  jsonSettings: JsonSettings,
): ((source: unknown, contentType: string) => OpenStream) | undefined => {
  const { stream } = bodyFormat(plan.format)
  if (stream === undefined) return undefined
  const { element, framing } = stream
  const elementPlan = element(plan)
  const writeElement = elementPlan && bodyWriter(elementPlan, jsonSettings)
  const write = (value: unknown): string => {
    const written = writeElement?.(value) ?? E.right(undefined)
    if (E.isLeft(written))
      throw new TypeError(
        `invalid stream element: ${written.left.map(({ pointer, detail }) => `${detail} at ${pointer}`).join('; ')}`,
      )
    return typeof written.right === 'string' ? written.right : ''
  }
  const { json } = plan
  return (source, contentType) => () => ({
    [Symbol.asyncIterator]: () =>
      new SourceChunks(
        openSource(source),
        framing({ source, write, encode: encodingOfText(contentType), json }),
      ),
  })
}

/** Returns the function that encodes text in the charset of a media type. `undefined` for UTF-8. */
const encodingOfText = (type: string): Encode | undefined => {
  const mediaType = O.toUndefined(MediaType.parse(type))
  return mediaType && encodingOf({ mediaType, format: { _tag: 'TextStream' } })
}

type Result = IteratorResult<Uint8Array, undefined>

const encoder = new TextEncoder()
const finished: Result = { done: true, value: undefined }

/** Iterator that reads the elements of a source and uses a framing to convert them to bytes. */
class SourceChunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: PullIterator
  readonly #framing: Framing
  #isFirst = true
  #isDone = false

  constructor(source: PullIterator, framing: Framing) {
    this.#source = source
    this.#framing = framing
  }

  async next(): Promise<Result> {
    while (!this.#isDone) {
      const { done, value } = await this.#source.next()
      if (this.#isDone) break
      if (done === true) this.#isDone = true
      const written = done === true ? this.#framing.end : this.#framing.write(value)
      const prefix = this.#isFirst
        ? this.#framing.begin
        : done === true
          ? ''
          : this.#framing.between
      this.#isFirst = false
      const bytes = toBytes(prefix === '' ? written : `${prefix}${String(written)}`)
      // an empty chunk would end a body with chunked transfer coding
      if (bytes.length > 0) return { done: false, value: bytes }
    }
    return finished
  }

  async return(): Promise<Result> {
    if (!this.#isDone) {
      this.#isDone = true
      await this.#source.return?.()
    }
    return finished
  }
}

const toBytes = (written: string | Uint8Array): Uint8Array =>
  typeof written === 'string' ? encoder.encode(written) : written

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
