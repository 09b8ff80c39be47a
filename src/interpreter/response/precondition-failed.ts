/** The error for a request whose preconditions are not met. */
import { HttpError } from '../../endpoint/http-error.ts'
import * as Headers from '../../http/headers.ts'

/** Creates a 412 error with the validators of a representation. */
export const preconditionFailed = (headers: Headers.Headers): HttpError =>
  new HttpError(412, 'precondition failed', {
    expose: false,
    headers: Object.fromEntries(
      ['ETag', 'Last-Modified'].flatMap((name) => {
        const value = Headers.first(headers, name.toLowerCase())
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  })
