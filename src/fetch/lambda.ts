/**
 * Serves route trees on AWS Lambda, behind function URLs and HTTP APIs of API Gateway (payload format 2.0).
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
import * as ContentType from '../http/media-type.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as Host from '../http/host.ts'
import * as IpAddress from '../http/ip-address.ts'
import type { TreeInput } from '../endpoint/routes.ts'
import type { AnyOptions, FetchOptions, FetchServable } from './fetch-handler.ts'
import { createHandler } from './fetch-handler.ts'
import type { ReadTarget } from './request-runner.ts'
import { isObject } from '../http/platform-value.ts'

/** The members of an event that are read. */
export interface LambdaEvent {
  readonly version: string
  readonly rawPath: string
  readonly rawQueryString: string
  /** The cookies of the request, each as `name=value`. */
  readonly cookies?: ReadonlyArray<string> | undefined
  /** The headers, by name in lower case. The values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly requestContext: {
    readonly domainName?: string | undefined
    readonly http: { readonly method: string; readonly sourceIp?: string | undefined }
  }
  readonly body?: string | undefined
  readonly isBase64Encoded?: boolean | undefined
}

/** The response to an event. */
export interface LambdaResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  /** The value of each `Set-Cookie` header. */
  readonly cookies: ReadonlyArray<string>
  /** The body: text, or bytes in base64. */
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** The arguments of a Lambda function, which fill the slot passed as `platform`. */
export interface LambdaInvocation {
  readonly event: LambdaEvent
  /** The context object of the invocation, such as a `Context` of the package `@types/aws-lambda`. */
  readonly context: unknown
}

/**
 * Compiles a route tree and returns a Lambda function. The options and errors are those of `toFetchHandler`. By default,
 * `context.request.clientAddress` is the source address of the event.
 *
 * Responses are sent as a whole, so endless streams require {@link toLambdaStreamHandler}. Bodies are sent in base64 unless their media
 * type is textual and they are not compressed. The function rejects with a `TypeError` for an event of another format, such as version 1.0.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, query, routes, string, text } from 'espalier'
 * import { toLambdaHandler } from 'espalier/fetch'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   query({ name: string }),
 *   produces(text),
 *   handle(({ query: { name } }) => `Hello, ${name}`),
 * )
 * // export this function from the module of the Lambda function
 * const handler = toLambdaHandler(routes({ hello }))
 *
 * const event = {
 *   version: '2.0',
 *   rawPath: '/hello',
 *   rawQueryString: 'name=Ann',
 *   headers: { host: 'api.example.com' },
 *   requestContext: { http: { method: 'GET', sourceIp: '203.0.113.9' } },
 * }
 * const { statusCode, body } = await handler(event)
 * assert.deepEqual([statusCode, body], [200, 'Hello, Ann'])
 * ```
 */
export const toLambdaHandler = <
  T,
  R extends {},
  E,
  K extends string = never,
  P extends LambdaInvocation = LambdaInvocation,
>(
  api: FetchServable<T, R, E, K, P>,
  options: FetchOptions<K, P> = {},
): ((event: LambdaEvent, context?: unknown) => Promise<LambdaResult>) => {
  const respond = eventHandler(api, options)
  return async (event, context) => resultOf(await respond(event, context))
}

/** Creates a function that responds to events. It rejects with a `TypeError` for an event of another format. */
export const eventHandler = (
  api: TreeInput,
  options: AnyOptions,
): ((event: LambdaEvent, context: unknown) => Promise<Response>) => {
  const handler = createHandler(api, { clientAddress: sourceAddress, ...options }, targetOf)
  return async (event, context) => {
    if (event.version !== '2.0')
      throw new TypeError(
        `unsupported event version ${JSON.stringify(event.version)}: use a function URL or an HTTP API with payload format 2.0`,
      )
    const request = requestOf(event)
    return request === undefined
      ? new Response(null, { status: 400 })
      : handler(request, { event, context })
  }
}

const sourceAddress = (_: Request, invocation: unknown): string | undefined => {
  const address = isInvocation(invocation)
    ? invocation.event.requestContext.http.sourceIp
    : undefined
  return address === undefined ? undefined : IpAddress.unmapIpv4(address)
}

const isInvocation = (value: unknown): value is LambdaInvocation =>
  isObject(value) && 'event' in value

/**
 * Returns the request target of an event. It is not read from the URL, because a URL parser resolves dot segments, and a host such as
 * `a/b` would change the path. Gateways may decode the path.
 */
const targetOf: ReadTarget = (_, invocation) => {
  if (!isInvocation(invocation)) return ''
  const { rawPath, rawQueryString } = invocation.event
  const path = rawPath.toWellFormed().replace(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent)
  return rawQueryString === '' ? path : `${path}?${rawQueryString}`
}

/** Converts an event to a request. Returns `undefined` if its method, host or headers are invalid. */
const requestOf = (event: LambdaEvent): Request | undefined => {
  const { rawPath, rawQueryString, cookies = [], headers, requestContext, body } = event
  const { method } = requestContext.http
  const authority = headers['host'] ?? requestContext.domainName ?? 'localhost'
  if (O.isNone(Host.parse(authority))) return undefined
  try {
    const url = new URL(`https://${authority}`)
    url.pathname = rawPath
    url.search = rawQueryString
    const sent = new Headers()
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) sent.set(name, value)
    if (cookies.length > 0) sent.set('cookie', cookies.join('; '))
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
    const content = event.isBase64Encoded === true && body !== undefined ? fromBase64(body) : body
    return new Request(url, {
      method,
      headers: sent,
      ...(hasBody && content !== undefined ? { body: content } : {}),
    })
  } catch {
    return undefined
  }
}

/** The status and the headers of a response to an event. */
export type LambdaHead = Pick<LambdaResult, 'statusCode' | 'headers' | 'cookies'>

/** Converts the status and the headers of a response. */
export const headOf = ({ status, headers }: Response): LambdaHead => {
  // an assignment would set the prototype for a header named `__proto__`
  const others = Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie'))
  return { statusCode: status, headers: others, cookies: headers.getSetCookie() }
}

const resultOf = async (response: Response): Promise<LambdaResult> => {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = isTextual(response.headers) ? decode(bytes) : undefined
  return {
    ...headOf(response),
    body: text ?? toBase64(bytes),
    isBase64Encoded: text === undefined,
  }
}

const isTextual = (headers: Headers): boolean => {
  if (headers.has('content-encoding')) return false
  const contentType = headers.get('content-type')
  if (contentType === null) return true
  const mediaType = O.toUndefined(ContentType.parse(contentType))
  return (
    mediaType !== undefined &&
    (mediaType.type === 'text' || /(?:^|[+-])(?:json|xml|urlencoded)$/.test(mediaType.subtype))
  )
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the text, or `undefined` if the bytes are not UTF-8. */
const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Maximum number of bytes that are converted at once. More arguments could overflow the stack. */
const maxArguments = 8192

const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (let start = 0; start < bytes.length; start += maxArguments)
    binary += String.fromCharCode(...bytes.subarray(start, start + maxArguments))
  return btoa(binary)
}
