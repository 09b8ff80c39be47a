/** How a content is taken that is never there as a whole. */
import type { Context } from '../../endpoint/context.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyStream } from './body-stream.ts'
import type { AsyncResult } from '../filters/interceptor-chain.ts'
import type * as E from 'fp-ts/lib/Either.js'
import type * as MediaType from '../../http/media-type.ts'

/** What a content comes to that is taken as it comes. What goes wrong is errorOf as it is: an `HttpError` has its status. */
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
