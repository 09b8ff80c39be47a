/** A filter that writes one log line for each request. */
import { checkList, checkOptions } from '../endpoint/internal/combinator.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { CommonContext, End, RequestContext, SecurityContext } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { priority, withOrder } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/request-filter.ts'
import { priorities } from './authentication.ts'
import { headersOf } from './reply-headers.ts'
import { checkFunction } from '../http/platform-value.ts'

/** Options for {@link accessLog}. */
export interface AccessLogOptions {
  /**
   * Names of the request headers to log, in upper or lower case. Headers that contain credentials are not allowed.
   * Default: no headers.
   */
  readonly headers?: ReadonlyArray<string>
  /**
   * Returns additional members of a log line, such as the tenant of the principal. Called at the end of the request. The members that
   * `accessLog` and the logger add themselves are not allowed, and must not contain secrets. If the function throws, the line is logged
   * without its members, and the error is logged.
   */
  readonly fields?: (context: CommonContext, end: End) => AccessLogFields
  /** Returns `true` for requests to omit from the log, such as health checks. */
  readonly except?: (request: RequestContext) => boolean
}

const ownNames = [
  'method',
  'path',
  'status',
  'duration',
  'endpoint',
  'principal',
  'address',
  'headers',
] as const

/** Members that loggers add. */
const loggerNames = ['id', 'category', 'level', 'time', 'message'] as const

/** Additional members of a line of the access log. */
export type AccessLogFields = Readonly<Record<string, unknown>> & {
  readonly [Name in (typeof ownNames | typeof loggerNames)[number]]?: never
}

/**
 * Creates a filter that logs each request when it ends, at level `info` in the `access` category.
 *
 * A log line contains the method, the path, the status, the duration in milliseconds, the request id, the client
 * address, the name of the matched endpoint and the name of the authenticated principal. The status is missing if the client disconnects before a response is
 * sent. Query strings and bodies are never logged. Values are truncated to 1024 UTF-16 code units.
 *
 * Apply the filter to the root of the tree. Requests are logged as sent by the client, before other filters rewrite
 * them. Throws a `TypeError` for an invalid header name, and for a header that contains credentials.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { accessLog, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { jsonLogger } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const lines: Array<string> = []
 * const logger = jsonLogger({ write: (line) => lines.push(line) })
 * const call = inMemory(pipe(routes({ hello }), withFilter(accessLog())), { logger })
 * await call(new Request('http://localhost/hello?token=secret'))
 *
 * const { category, method, status, endpoint } = JSON.parse(lines.join(''))
 * assert.deepEqual([category, method, status, endpoint], ['access', 'GET', 200, 'hello'])
 * assert.doesNotMatch(lines.join(''), /secret/)
 * ```
 */
export const accessLog = (options: AccessLogOptions = {}): PlainFilter => {
  const {
    headers = [],
    fields,
    except,
  } = checkOptions('accessLog', ['headers', 'fields', 'except'], options)
  checkList('accessLog', 'headers', headers)
  if (fields !== undefined) checkFunction('accessLog({ fields })', 'fields', fields)
  const names = headers.map(validateHeader)
  // these values are read now, because filters can rewrite the request later, and a closed connection has no address
  const log = preMatching((context) => {
    const { request, logger, onEnd } = context
    if (except?.(request) === true) return
    const { method, path, clientAddress: address } = request
    const members = headerMembers(request, names)
    onEnd((end) => {
      let added: AccessLogFields = {}
      try {
        if (fields !== undefined) added = checkFields(fields(context, end))
      } finally {
        logger('access').info(
          {
            ...requestMembers({ method, path }, end),
            ...principalMembers(context.security),
            address,
            ...members,
            ...added,
          },
          message({ method, path }, end),
        )
      }
    })
  })
  return pipe(
    log,
    priority(priorities.accessLog),
    withOrder(() => ({ name: 'accessLog' })),
  )
}

type RequestLine = Pick<RequestContext, 'method' | 'path'>

const message = ({ method, path }: RequestLine, { status, duration }: End): string =>
  `${truncate(method)} ${truncate(path)} ${status ?? '-'} ${duration.toFixed(1)} ms`

const requestMembers = (
  { method, path }: RequestLine,
  { status, duration, endpoint }: End,
): Readonly<Record<string, unknown>> => ({
  method: truncate(method),
  path: truncate(path),
  status,
  duration: Math.round(duration * 1000) / 1000,
  endpoint: endpoint?.name,
})

const principalMembers = ({ principal }: SecurityContext): Readonly<Record<string, unknown>> =>
  principal === undefined ? {} : { principal: truncate(principal.name) }

/** Returns a copy of additional members. Throws a `TypeError` if they contain a member of another origin. */
const checkFields = (fields: AccessLogFields): AccessLogFields => {
  const copy = { ...fields }
  const name = [...ownNames, ...loggerNames].find((reserved) => Object.hasOwn(copy, reserved))
  if (name !== undefined)
    throw new TypeError(`accessLog: fields must not return the member ${name}, which each line has`)
  return copy
}

const headerMembers = (
  { header }: RequestContext,
  names: ReadonlyArray<string>,
): Readonly<Record<string, unknown>> =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          names.flatMap((name) => {
            const value = header(name)
            return value === undefined ? [] : [[name, truncate(value)] as const]
          }),
        ),
      }

const maxLength = 1024

const truncate = (text: string): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text

const credentialHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

const validateHeader = (name: string): string => {
  headersOf([[name, '']])
  const lowerCaseName = name.toLowerCase()
  if (credentialHeaders.includes(lowerCaseName))
    throw new TypeError(
      `accessLog: header ${name} must not be logged, because it contains credentials`,
    )
  return lowerCaseName
}
