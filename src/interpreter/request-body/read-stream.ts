/** The type of functions that read a body as a stream, and an adapter for functions that return a promise. */
import type { Context } from '../../endpoint/context.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyStream } from '../chunks.ts'
import type { AsyncResult } from '../../body/maybe-async.ts'
import type * as E from 'fp-ts/lib/Either.js'
import type * as MediaType from '../../http/media-type.ts'

/** Reads a body as a stream. Errors are passed to `failed` unchanged, so an `HttpError` keeps its status. */
export type ReadStream = (
  chunks: BodyStream,
  contentType: MediaType.MediaType | undefined,
  exchange: Exchange,
) => AsyncResult<Context, E.Either<RequestFailure, unknown>>

/** Converts a function that returns a promise to an {@link AsyncResult}. */
export const fromPromise =
  (
    read: (context: Context) => Promise<E.Either<RequestFailure, unknown>>,
  ): AsyncResult<Context, E.Either<RequestFailure, unknown>> =>
  (context, then, failed) => {
    read(context).then(then, failed)
  }
