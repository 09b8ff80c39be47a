/** Detects errors that a client disconnect causes. They are not internal errors. */

const codes: ReadonlyArray<unknown> = [
  'ABORT_ERR',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]

/** Whether an error, or one of its causes, is that of an operation that a disconnect has aborted. `signal` is called only for such errors. */
export const isAbort = (error: unknown, signal: () => AbortSignal): boolean =>
  chain(error).some(isCut) && signal().aborted

const isCut = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && codes.includes(error.code))

/** Returns an error and its causes, each of them once. */
const chain = (error: unknown): ReadonlyArray<Error> => {
  const seen = new Set<Error>()
  let at = error
  while (at instanceof Error && !seen.has(at)) {
    seen.add(at)
    at = at.cause
  }
  return [...seen]
}

/**
 * Whether an error is due to a disconnect: an aborted operation, or any error after the disconnect, since sources and
 * handlers may throw errors of their own. A programming error, such as a `TypeError`, does not count.
 */
export const isDisconnect = (error: unknown, signal: () => AbortSignal): boolean =>
  signal().aborted && (chain(error).some(isCut) || !isProgrammingError(error))

const isProgrammingError = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError
