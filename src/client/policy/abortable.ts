/** Functions of a program's own, which need not listen to a signal to be left when a caller goes. */
import * as E from 'fp-ts/lib/Either.js'
import type { Aborted } from '../client-error.ts'
import type { ClientRequest } from '../exchange.ts'
import { onAbort } from '../on-abort.ts'
import { aborted } from './failing.ts'

/** What a promise comes to, unless the caller aborts before; then `late` is run when it has come to something, or has rejected. */
export const heeding = <A>(
  request: ClientRequest,
  coming: Promise<A>,
  late: (value?: A) => void = nothing,
): Promise<E.Either<Aborted, A>> => {
  const { signal } = request
  if (signal === undefined) return coming.then(E.right)
  return new Promise((resolve, reject) => {
    let isLeft = false
    const leave = (): void => {
      isLeft = true
      resolve(E.left(aborted(request)))
    }
    if (signal.aborted) leave()
    const release = onAbort(signal, leave)
    coming.finally(release).then(
      (value) => (isLeft ? late(value) : resolve(E.right(value))),
      (error: unknown) => (isLeft ? late() : reject(error)),
    )
  })
}

const nothing = (): void => undefined
