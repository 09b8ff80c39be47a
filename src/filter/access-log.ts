/** A line of the log for each request. */
import { pipe } from 'fp-ts/lib/function.js'
import type { End, RequestContext } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { priority } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/pre-matching.ts'
import { priorities } from './priorities.ts'
import { headersOf } from './reply-headers.ts'

export interface AccessLogOptions {
  /** Request fields that are told too, in any case; none by default. Those that hold credentials cannot be. */
  readonly headers?: ReadonlyArray<string>
  /** Requests that are not worth a line, such as those of a health check. */
  readonly except?: (request: RequestContext) => boolean
}

/**
 * Writes one line for each request, when it has ended: at `info`, in the category `access`, with its method, path, status,
 * duration in milliseconds, id, the address of the client, and the name of the endpoint that it matched. A line without a
 * status is that of a client that went away before it was answered. Queries and contents are never written, and of header
 * fields only those that are listed; values are cut after 1024 UTF-16 code units.
 *
 * It has to stand around the whole tree, and tells of a request as the client sent it. Throws a `TypeError` for a header field
 * that is none, or that holds credentials.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { accessLog, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { jsonLines } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const lines: Array<string> = []
 * const logger = jsonLines({ write: (line) => lines.push(line) })
 * const call = inMemory(pipe(routes({ hello }), withFilter(accessLog())), { logger })
 * await call(new Request('http://localhost/hello?token=secret'))
 *
 * const { category, method, status, endpoint } = JSON.parse(lines.join(''))
 * assert.deepEqual([category, method, status, endpoint], ['access', 'GET', 200, 'hello'])
 * assert.doesNotMatch(lines.join(''), /secret/)
 * ```
 */
export const accessLog = ({ headers = [], except }: AccessLogOptions = {}): PlainFilter => {
  const names = headers.map(tellable)
  // what is asked now is kept: at the end filters have rewritten the request, and a connection has no address any more
  const telling = preMatching(({ request, logger, onEnd }) => {
    if (except?.(request) === true) return
    const { method, path, address } = request
    const fields = told(request, names)
    onEnd((end) =>
      logger('access').info(
        { ...members({ method, path }, end), address, ...fields },
        message({ method, path }, end),
      ),
    )
  })
  return pipe(telling, priority(priorities.accessLog))
}

type Received = Pick<RequestContext, 'method' | 'path'>

const message = ({ method, path }: Received, { status, duration }: End): string =>
  `${cut(method)} ${cut(path)} ${status ?? '-'} ${duration.toFixed(1)} ms`

const members = (
  { method, path }: Received,
  { status, duration, endpoint }: End,
): Readonly<Record<string, unknown>> => ({
  method: cut(method),
  path: cut(path),
  status,
  duration: Math.round(duration * 1000) / 1000,
  endpoint: endpoint?.name,
})

/** The header fields that are told. */
const told = (
  { header }: RequestContext,
  names: ReadonlyArray<string>,
): Readonly<Record<string, unknown>> =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          names.flatMap((name) => {
            const value = header(name)
            return value === undefined ? [] : [[name, cut(value)] as const]
          }),
        ),
      }

const longest = 1024

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

const credentials = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

const tellable = (name: string): string => {
  headersOf([[name, '']])
  const lower = name.toLowerCase()
  if (credentials.includes(lower))
    throw new TypeError(`${name} holds credentials, which do not belong in a log`)
  return lower
}
