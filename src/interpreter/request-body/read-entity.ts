/** Reads buffered bodies with the built-in readers, or with readers and reader interceptors of the application. */
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { Context } from '../../endpoint/context.ts'
import type { ReadingChange } from '../../endpoint/interceptor.ts'
import type { Reader, Reading } from '../../endpoint/reader.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import { andThen } from '../maybe-async.ts'
import type { AsyncResult } from '../filters/interceptor-chain.ts'
import { attempt, runInterceptors } from '../filters/interceptor-chain.ts'
import type { BodyPlan, ProvidedFormat } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { selectByMediaType, codecOfBody, isBuiltIn } from '../../body/entity/select-body-plan.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { inputVisibility } from '../../body/visibility.ts'
import { bodyReader } from './body-reader.ts'
import { decodeBody } from '../../body/read-body.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { readError } from '../errors/failure-error.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../../http/media-type.ts'

/** Reads a body: synchronously, or with an {@link AsyncResult} if application code takes part. Its errors are passed on unchanged. */
export type ReadEntity = (
  bytes: Uint8Array,
  stated: MediaType.MediaType | undefined,
) => E.Either<RequestFailure, unknown> | AsyncResult<Context, unknown>

/** Returns the readers of the bodies that a plan declares. */
export const entityReaders = (plan: Plan, settings: Settings): ReadonlyArray<ReadEntity> => {
  const { bodies, chain } = plan
  const interceptors = chain.entities.readerInterceptors
  if (interceptors.length === 0 && bodies.every(isBuiltIn))
    return bodies.map((body) => bodyReader(plan, body, settings))
  const reads = new Map(bodies.map((body) => [body, read(plan, body, settings)] as const))
  return bodies.map((body) => {
    if (interceptors.length === 0 && isBuiltIn(body)) return bodyReader(plan, body, settings)
    return (data, stated) => {
      const assumed = MediaType.format(stated ?? body.mediaType)
      const inside = (reading: Reading): unknown => {
        if (reading.mediaType === assumed) return reads.get(body)?.(reading, stated)
        const changed = O.toUndefined(MediaType.parse(reading.mediaType))
        return reads.get(selectByMediaType(changed, bodies) ?? body)?.(reading, changed)
      }
      const run = runInterceptors<Reading, ReadingChange, unknown>(interceptors, inside, asItIs)
      return (context, then, failed) =>
        attempt(
          () => run({ data, mediaType: assumed, codec: codecOfBody(body), context }),
          then,
          failed,
        )
    }
  })
}

const asItIs = (value: unknown): unknown => value

type Read = (reading: Reading, stated: MediaType.MediaType | undefined) => unknown

/** Returns the innermost reader of a body. It throws failures as errors. */
const read = (plan: Plan, body: BodyPlan, settings: Settings): Read => {
  if (!isBuiltIn(body)) {
    const { format } = body
    return format._tag === 'Provider' && format.by._tag === 'Reader'
      ? readBy(format, format.by, settings, body.visibility)
      : () => undefined
  }
  const content = bodyReader(plan, body, settings)
  return ({ data }, stated) => valueOf(content(data, stated))
}

/** A reader for a codec returns decoded values. The results of any other reader are decoded. */
const readBy = (
  { codec }: ProvidedFormat,
  by: Reader,
  settings: Settings,
  projecting: VisibilityRules | undefined,
): Read => {
  if (by.scope._tag === 'Codec') return (reading) => by.run(reading.data, reading)
  const projection = inputVisibility(codec, projecting)
  const exact = compileCodec(codec, 'drop', codecBackEnd(settings), projection)
  return (reading) =>
    andThen(by.run(reading.data, reading), (value) => valueOf(decodeBody(exact, value)))
}

const valueOf = (result: E.Either<RequestFailure, unknown>): unknown => {
  if (E.isLeft(result)) throw readError(result.left)
  return result.right
}
