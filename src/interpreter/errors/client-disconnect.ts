/** Errors that say nothing but that the client has gone: no defect of the program. */

const codes: ReadonlyArray<unknown> = [
  'ABORT_ERR',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]

/**
 * Whether an error, or a cause of it, is that of an operation that was cut off because the client had gone. The signal is
 * asked for only where the error is one of this sort.
 */
export const isAbort = (error: unknown, signal: () => AbortSignal): boolean =>
  chain(error).some(isCut) && signal().aborted

const isCut = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && codes.includes(error.code))

/** An error and its causes, each once. */
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
 * Whether an error is due to a client disconnect: an aborted operation, or any error after the disconnect, because sources and
 * handlers may stop with errors of their own. An error class of the language, such as `TypeError`, still is a defect.
 */
export const isDisconnect = (error: unknown, signal: () => AbortSignal): boolean =>
  signal().aborted && (chain(error).some(isCut) || !isProgrammingError(error))

const isProgrammingError = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError
