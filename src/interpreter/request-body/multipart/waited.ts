/** Taking content that has to be waited for, as whoever runs a request goes on with it. */
import type * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../../endpoint/context.ts'
import type { RequestFailure } from '../../../http/failure.ts'
import type { AsyncResult } from '../../filters/interceptor-chain.ts'

export const fromPromise =
  (
    take: (context: Context) => Promise<E.Either<RequestFailure, unknown>>,
  ): AsyncResult<Context, E.Either<RequestFailure, unknown>> =>
  (context, then, failed) => {
    take(context).then(then, failed)
  }
