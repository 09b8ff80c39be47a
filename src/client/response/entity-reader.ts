/** Reads the data of a whole content as the entity that was declared: by readers built in or provided, and through interceptors. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import type { ContentPlan, ProvidedFormat } from '../../body/content-plan.ts'
import type { Entities } from '../../body/entity/entities.ts'
import type { Usual } from '../../body/json/json-rules.ts'
import { alternativeFor, codecOf } from '../../body/entity/provided.ts'
import type { ReadContent } from '../../body/read-body.ts'
import { decoded, unreadable } from '../../body/read-body.ts'
import type { ReadingChange } from '../../endpoint/interceptor.ts'
import type { Reading } from '../../endpoint/reader.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as MediaType from '../../http/media-type.ts'
import { contentReader } from './body-reader.ts'
import { runInterceptors, settle } from '../run-interceptors.ts'
import type { BodyEnvironment } from '../body-environment.ts'

/** A value, or what is wrong with the content. */
export type Entity = E.Either<RequestFailure, unknown>

/** `alternatives` are those of the same status: an interceptor may say that a content is another one of them. */
export type ReadEntity = (
  data: Uint8Array,
  stated: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<ContentPlan>,
) => Entity | Promise<Entity>

/** Prepares reading of contents; there is none of one that a client does not read as a whole. */
export const entityReaders = (
  contents: ReadonlyArray<ContentPlan>,
  { entities: { readerInterceptors }, context, usual }: BodyEnvironment,
): ReadonlyMap<ContentPlan, ReadEntity> => {
  const reads = new Map<ContentPlan, Read>()
  const entityReads = new Map<ContentPlan, ReadEntity>()
  for (const content of contents) {
    const { format } = content
    const builtIn = format._tag === 'Provider' ? undefined : safely(contentReader(content, usual))
    const read = format._tag === 'Provider' ? provided(format, usual) : ofReading(builtIn)
    if (read === undefined) continue
    reads.set(content, read)
    entityReads.set(
      content,
      builtIn !== undefined && readerInterceptors.length === 0
        ? builtIn
        : (data, stated, alternatives) => {
            const assumed = {
              data,
              mediaType: stated === undefined ? content.contentType : MediaType.format(stated),
              codec: codecOf(content),
              context,
            }
            return through(readerInterceptors, assumed, read, stated, (other) => {
              const found = alternativeFor(other, alternatives)
              return found === undefined ? undefined : reads.get(found)
            })
          },
    )
  }
  return entityReads
}

type Read = (reading: Reading, stated: MediaType.MediaType | undefined) => Entity | Promise<Entity>

const ofReading = (read: ReadContent | undefined): Read | undefined =>
  read === undefined ? undefined : ({ data }, stated) => read(data, stated)

/** Functions of the application's own may throw. */
const safely = (read: ReadContent | undefined): ReadContent | undefined =>
  read === undefined
    ? undefined
    : (data, stated) => {
        try {
          return read(data, stated)
        } catch (error) {
          return unreadable(reason(error), error)
        }
      }

const provided = ({ by, codec }: ProvidedFormat, { backEnd }: Usual): Read | undefined => {
  if (by._tag !== 'Reader') return undefined
  // one that is made for the codec gives its values; what any other gives is still to be decoded
  const isOwn = by.scope._tag === 'Codec'
  const exact = compileCodec(partialViewCodec(codec), 'drop', backEnd)
  return async (reading) => {
    try {
      const value = await settle(by.run(reading.data, reading))
      return isOwn ? E.right(value) : decoded(exact, value)
    } catch (error) {
      return unreadable(reason(error), error)
    }
  }
}

const reason = (error: unknown): string =>
  error instanceof Error ? error.message : 'it cannot be read'

const through = (
  interceptors: Entities['readerInterceptors'],
  assumed: Reading,
  read: Read,
  stated: MediaType.MediaType | undefined,
  otherFor: (mediaType: MediaType.MediaType | undefined) => Read | undefined,
): Promise<Entity> => {
  const run = runInterceptors<Reading, ReadingChange, unknown, RequestFailure>(interceptors, {
    inner: async (reading) => {
      const isSame = reading.mediaType === assumed.mediaType
      const changed = isSame ? stated : O.toUndefined(MediaType.parse(reading.mediaType))
      return ((isSame ? undefined : otherFor(changed)) ?? read)(reading, changed)
    },
    toResult: (value) => value,
    onError: (error) => unreadable(reason(error), error),
  })
  return run(assumed)
}
