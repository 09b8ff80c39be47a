/**
 * Writes the head of a response whose headers the application has partly set on the `node:http` response.
 *
 * If headers have been set, `writeHead` in Node.js 20 loses all but the last of repeated headers. Replacements of `writeHead` by
 * middleware, such as those of `on-headers`, may do so as well, or may not support an array of headers.
 */
import type { ServerResponse } from 'node:http'
import type { Headers } from '../../http/headers.ts'
import * as Status from '../../http/status.ts'

/** Headers whose values are added to those that have been set, because both apply. */
const combined = new Set(['set-cookie', 'vary'])

/** Writes a head. Its headers replace those that have been set under the same name, except for `Set-Cookie` and `Vary`. */
export const writeHeadSeparately = (
  response: ServerResponse,
  status: number,
  headers: Headers,
): void => {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!combined.has(name.toLowerCase())) response.removeHeader(name)
  }
  for (let index = 0; index < headers.length; index += 2)
    response.appendHeader(headers[index] ?? '', headers[index + 1] ?? '')
  response.writeHead(status, Status.reasonPhrase(status))
}
