/** Decodes buffered response bodies with built-in or custom readers, through interceptors. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import type { BodyPlan, ProvidedFormat } from '../../body/body-plan.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { selectByMediaType, codecOfBody } from '../../body/entity/select-body-plan.ts'
import type { ReadBody } from '../../body/read-body.ts'
import { decodeBody, unreadableBody } from '../../body/read-body.ts'
import type { ReadingChange } from '../../endpoint/interceptor.ts'
import type { Reading } from '../../endpoint/reader.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as MediaType from '../../http/media-type.ts'
import { bodyReader } from './body-reader.ts'
import { runInterceptors, settle } from '../run-interceptors.ts'
import type { BodyEnvironment } from '../body-environment.ts'

/** The decoded value of a body, or the reason why it is invalid. */
export type Entity = E.Either<RequestFailure, unknown>

/** Decodes a body. `alternatives` are the representations of the same status; an interceptor may select another one by media type. */
export type ReadEntity = (
  data: Uint8Array,
  mediaType: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<BodyPlan>,
) => Entity | Promise<Entity>

/** Prepares decoding. The map has no entry for representations that a client does not read as a whole. */
export const entityReaders = (
  contents: ReadonlyArray<BodyPlan>,
  { entities: { readerInterceptors }, context, jsonSettings }: BodyEnvironment,
): ReadonlyMap<BodyPlan, ReadEntity> => {
  const reads = new Map<BodyPlan, Read>()
  const entityReads = new Map<BodyPlan, ReadEntity>()
  for (const content of contents) {
    const { format } = content
    const builtIn =
      format._tag === 'Provider' ? undefined : catchErrors(bodyReader(content, jsonSettings))
    const read = format._tag === 'Provider' ? customReader(format, jsonSettings) : toRead(builtIn)
    if (read === undefined) continue
    reads.set(content, read)
    entityReads.set(
      content,
      builtIn !== undefined && readerInterceptors.length === 0
        ? builtIn
        : (data, mediaType, alternatives) => {
            const reading = {
              data,
              mediaType:
                mediaType === undefined ? content.contentType : MediaType.format(mediaType),
              codec: codecOfBody(content),
              context,
            }
            return runWithInterceptors(readerInterceptors, reading, read, mediaType, (other) => {
              const alternative = selectByMediaType(other, alternatives)
              return alternative === undefined ? undefined : reads.get(alternative)
            })
          },
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

/** Converts exceptions of custom codecs to failures. */
const catchErrors = (read: ReadBody | undefined): ReadBody | undefined =>
  read === undefined
    ? undefined
    : (data, mediaType) => {
        try {
          return read(data, mediaType)
        } catch (error) {
          return unreadableBody(messageOf(error), error)
        }
      }

const customReader = (
  { by, codec }: ProvidedFormat,
  { backEnd }: JsonSettings,
): Read | undefined => {
  if (by._tag !== 'Reader') return undefined
  // a reader for a codec returns decoded values; the result of any other reader is decoded here
  const isForCodec = by.scope._tag === 'Codec'
  const codecOfResponse = compileCodec(partialViewCodec(codec), 'drop', backEnd)
  return async (reading) => {
    try {
      const value = await settle(by.run(reading.data, reading))
      return isForCodec ? E.right(value) : decodeBody(codecOfResponse, value)
    } catch (error) {
      return unreadableBody(messageOf(error), error)
    }
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'the body cannot be read'

const runWithInterceptors = (
  interceptors: EntityProviders['readerInterceptors'],
  initial: Reading,
  read: Read,
  mediaType: MediaType.MediaType | undefined,
  readOther: (mediaType: MediaType.MediaType | undefined) => Read | undefined,
): Promise<Entity> => {
  const run = runInterceptors<Reading, ReadingChange, unknown, RequestFailure>(interceptors, {
    inner: async (reading) => {
      const isUnchanged = reading.mediaType === initial.mediaType
      const mediaTypeToRead = isUnchanged
        ? mediaType
        : O.toUndefined(MediaType.parse(reading.mediaType))
      return ((isUnchanged ? undefined : readOther(mediaTypeToRead)) ?? read)(
        reading,
        mediaTypeToRead,
      )
    },
    toResult: (value) => value,
    onError: (error) => unreadableBody(messageOf(error), error),
  })
  return run(initial)
}
