/** How a content is taken that is never there as a whole. */
import type * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../endpoint/context.ts'
import type { Failure } from '../http/failure.ts'
import type * as MediaType from '../http/media-type.ts'
import type { Exchange } from './exchange.ts'
import type { Pending } from './pending.ts'

/** What a content comes to that is taken as it comes. What goes wrong is told as it is: an `HttpError` has its status. */
export type TakeContent = (
  pieces: AsyncIterableIterator<Uint8Array>,
  stated: MediaType.MediaType | undefined,
  exchange: Exchange,
) => Pending<Context, E.Either<Failure, unknown>>
