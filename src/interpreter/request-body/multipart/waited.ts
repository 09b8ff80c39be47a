/** Taking content that has to be waited for, as whoever runs a request goes on with it. */
import type * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../../../endpoint/context.ts'
import type { Failure } from '../../../http/failure.ts'
import type { Pending } from '../../filters/interceptor-chain.ts'

export const waited =
  (
    take: (context: Context) => Promise<E.Either<Failure, unknown>>,
  ): Pending<Context, E.Either<Failure, unknown>> =>
  (context, then, failed) => {
    take(context).then(then, failed)
  }
