/** The error response while the process has too many open files. */
import { ServiceUnavailable } from '../../endpoint/http-error.ts'

/** 503 with `Retry-After` for EMFILE and ENFILE; any other error is returned unchanged. */
export const tooManyFiles = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
    ? new ServiceUnavailable('too many files are open', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : error
}
