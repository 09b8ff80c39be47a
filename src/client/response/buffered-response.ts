/** Reads buffered response bodies in any format, or with custom readers, and runs the interceptors that wrap these readers. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { partialViewOf } from '../../codec/visibility/visibility.ts'
import type { BodyPlan, ProvidedFormat } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { selectByMediaType, codecOfBody, charsetsOf, partialRules } from '../../body/body-plan.ts'
import type { ReadBody } from '../../body/decode-body.ts'
import { decodeBody, unreadableBody, decodeText, readText } from '../../body/decode-body.ts'
import type { ReadingChange } from '../../endpoint/interceptor.ts'
import type { Reading } from '../../endpoint/reader.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as MediaType from '../../http/media-type.ts'
import { catchErrors, messageOf, inUtf8, jsonLimits } from './plain-reader.ts'
import { runFallibleInterceptors } from '../../body/interceptors.ts'
import { settle } from '../../http/platform-value.ts'
import type { BodyEnvironment } from '../request/body-writer.ts'
import { clientContext } from '../request/body-writer.ts'
import type { BodyReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'

/** The decoded value of a body, or the reason why the body is invalid. */
export type Entity = E.Either<RequestFailure, unknown>

/**
 * Decodes a body. `alternatives` contains the representations declared for the status of the response. If an
 * interceptor changes the media type, the representation is selected again from `alternatives`.
 */
export type ReadResponseEntity = (
  data: Uint8Array,
  mediaType: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<BodyPlan>,
) => Entity | Promise<Entity>

/**
 * Creates one reader per representation. The map has no entries for representations that the client does not read as a
 * whole.
 */
export const entityReaders = (
  plans: ReadonlyArray<BodyPlan>,
  { entities: { readerInterceptors }, endpoint, jsonSettings }: BodyEnvironment,
): ReadonlyMap<BodyPlan, ReadResponseEntity> => {
  const context = clientContext(endpoint)
  const reads = new Map<BodyPlan, Read>()
  const entityReads = new Map<BodyPlan, ReadResponseEntity>()
  const readIntercepted =
    (plan: BodyPlan, read: Read): ReadResponseEntity =>
    (data, mediaType, alternatives) => {
      const initial: Reading = {
        data,
        mediaType: mediaType === undefined ? plan.contentType : MediaType.format(mediaType),
        codec: codecOfBody(plan),
        context,
      }
      return runFallibleInterceptors<Reading, ReadingChange, unknown, RequestFailure>(
        readerInterceptors,
        {
          run: async (reading) => {
            if (reading.mediaType === initial.mediaType) return read(reading, mediaType)
            const changed = O.toUndefined(MediaType.parse(reading.mediaType))
            const alternative = selectByMediaType(changed, alternatives)
            const readOther = alternative === undefined ? undefined : reads.get(alternative)
            return (readOther ?? read)(reading, changed)
          },
          toResult: (value) => value,
          onError: (error) => unreadableBody(messageOf(error), error),
        },
      )(initial)
    }
  for (const plan of plans) {
    const { format } = plan
    const builtIn =
      format._tag === 'Provider' ? undefined : catchErrors(bodyReader(plan, jsonSettings))
    const read = format._tag === 'Provider' ? customReader(format, jsonSettings) : toRead(builtIn)
    if (read === undefined) continue
    reads.set(plan, read)
    entityReads.set(
      plan,
      builtIn !== undefined && readerInterceptors.length === 0
        ? builtIn
        : readIntercepted(plan, read),
    )
  }
  return entityReads
}

type Read = (
  reading: Reading,
  mediaType: MediaType.MediaType | undefined,
) => Entity | Promise<Entity>

const toRead = (read: ReadBody | undefined): Read | undefined =>
  read === undefined ? undefined : ({ data }, mediaType) => read(data, mediaType)

/** Creates a function that calls the custom reader of a format. Returns `undefined` if the format has a custom writer instead. */
const customReader = (
  { by, codec }: ProvidedFormat,
  { backEnd }: JsonSettings,
): Read | undefined => {
  if (by._tag !== 'Reader') return undefined
  // a reader for a codec returns decoded values; the result of any other reader is decoded here
  const isForCodec = by.scope._tag === 'Codec'
  const codecOfResponse = compileCodec(codec, 'drop', backEnd, partialViewOf(codec))
  return async (reading) => {
    try {
      const value = await settle(by.run(reading.data, reading))
      return isForCodec ? E.right(value) : decodeBody(codecOfResponse, value)
    } catch (error) {
      return unreadableBody(messageOf(error), error)
    }
  }
}

const readLimits: Omit<BodyReadOptions, keyof JsonSettings | 'json'> = {
  ...jsonLimits,
  // properties that a view or a role can hide are optional
  visibility: partialRules,
  keepsLinks: true,
  xml: { depth: 500, rejectsUndeclared: false, sizeFailure: () => undefined },
  form: { fields: Infinity, fieldsName: '', fieldSize: Infinity, fieldSizeName: '' },
}

const allText = () => ({ decodeText, readText })

/**
 * Creates a reader for a buffered body. Returns `undefined` if the client does not read the representation as a whole.
 */
export const bodyReader = (plan: BodyPlan, jsonSettings: JsonSettings): ReadBody | undefined => {
  const { format, json } = plan
  if (format._tag === 'Provider') return undefined
  const { reader } = bodyFormat(format)
  const read = reader?.({ ...readLimits, ...jsonSettings, json })
  if (read === undefined) return undefined
  switch (charsetsOf(format)) {
    case 'ascii':
    case 'utf-8':
      return inUtf8(read, allText)
    case 'custom':
      return withoutErrors(read)
    default:
      return read
  }
}

/**
 * Converts exceptions thrown by a custom read function to failures. This includes `HttpError`, which has a special
 * meaning only on a server.
 */
const withoutErrors =
  (read: ReadBody): ReadBody =>
  (bytes, mediaType) => {
    try {
      return read(bytes, mediaType)
    } catch (error) {
      return unreadableBody('the body cannot be read', error)
    }
  }
