/** The type of functions that read a body as a stream. */
import type { Context } from '../../endpoint/context.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyStream } from './body-stream.ts'
import type { AsyncResult } from '../filters/interceptor-chain.ts'
import type * as E from 'fp-ts/lib/Either.js'
import type * as MediaType from '../../http/media-type.ts'

/** Reads a body as a stream. Errors are passed on unchanged: an `HttpError` has its own status. */
export type ReadStream = (
  chunks: BodyStream,
  stated: MediaType.MediaType | undefined,
  exchange: Exchange,
) => AsyncResult<Context, E.Either<RequestFailure, unknown>>

export const fromPromise =
  (
    take: (context: Context) => Promise<E.Either<RequestFailure, unknown>>,
  ): AsyncResult<Context, E.Either<RequestFailure, unknown>> =>
  (context, then, failed) => {
    take(context).then(then, failed)
  }
