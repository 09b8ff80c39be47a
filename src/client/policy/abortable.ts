/** Abort handling: signals that follow the signal of a request, and promises that are abandoned when it aborts. */
import * as E from 'fp-ts/lib/Either.js'
import type { Aborted } from '../client-error.ts'
import type { ClientRequest } from '../exchange.ts'
import { aborted } from '../error-factories.ts'
import { onAbort } from '../on-abort.ts'

/** A signal that follows another signal and can also be aborted on its own. */
export interface LinkedSignal {
  /** Aborts when the parent aborts, and when `abort` is called. */
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Stops following the parent. */
  readonly release: () => void
}

/**
 * Creates a signal that follows `parent` until it is released. `onParentAbort` is called after the signal has aborted.
 *
 * The signal returned by `AbortSignal.any` cannot be released: it follows its parents until it is garbage-collected.
 */
export const linkSignal = (
  parent: AbortSignal | undefined,
  onParentAbort = ignore,
): LinkedSignal => {
  const controller = new AbortController()
  const abort = (reason: unknown): void => controller.abort(reason)
  if (parent?.aborted === true) abort(parent.reason)
  const follow = (): void => {
    abort(parent?.reason)
    onParentAbort()
  }
  return { signal: controller.signal, abort, release: onAbort(parent, follow) }
}

/**
 * Waits for a promise of an application function until the caller aborts the request.
 *
 * After an abort the promise is abandoned: `onLate` is called with its result, or without arguments if it rejects.
 */
export const abortable = <A>(
  request: ClientRequest,
  promise: Promise<A>,
  onLate: (value?: A) => void = ignore,
): Promise<E.Either<Aborted, A>> => {
  const { signal } = request
  if (signal === undefined) return promise.then(E.right)
  return new Promise((resolve, reject) => {
    let isAbandoned = false
    const abandon = (): void => {
      isAbandoned = true
      resolve(E.left(aborted(request)))
    }
    if (signal.aborted) abandon()
    const release = onAbort(signal, abandon)
    promise.finally(release).then(
      (value) => (isAbandoned ? onLate(value) : resolve(E.right(value))),
      (error: unknown) => (isAbandoned ? onLate() : reject(error)),
    )
  })
}

const ignore = (): void => undefined
