/**
 * The semantic conventions for HTTP spans, version 1.45. Only stable names are used.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
import type { Attributes } from '@opentelemetry/api'
import type { AttemptTrace } from '../diagnostics/attempt-trace.ts'
import type { RequestTrace } from '../diagnostics/request-trace.ts'
import { standardMethods } from '../http/method.ts'

/** The methods that may be in names of spans. */
const knownMethods: ReadonlySet<string> = new Set(standardMethods)

/** Parameters that contain credentials or signatures. Their values are replaced with `REDACTED`. */
const secretParameters: ReadonlySet<string> = new Set([
  'AWSAccessKeyId',
  'Signature',
  'sig',
  'X-Goog-Signature',
  'X-Amz-Credential',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
])

/** Returns the name of a span. It never contains the path of a request. */
export const spanName = (method: string, route: string | undefined): string => {
  const name = knownMethods.has(method) ? method : 'HTTP'
  return route === undefined ? name : `${name} ${route}`
}

const methodAttributes = (method: string): Attributes =>
  knownMethods.has(method)
    ? { 'http.request.method': method }
    : { 'http.request.method': '_OTHER', 'http.request.method_original': method }

/** Returns a query in which the values of secret parameters are replaced. */
export const redactQuery = (query: string, secrets: ReadonlySet<string> = new Set()): string =>
  query.replaceAll(/([^&=]*)=([^&]*)/g, (pair, name: string) =>
    secretParameters.has(name) || secrets.has(name) ? `${name}=REDACTED` : pair,
  )

/** Returns the attributes that are known when a request arrives. */
export const requestAttributes = (
  trace: RequestTrace,
  secrets: ReadonlySet<string>,
): Attributes => {
  const { method, path, query, route, clientAddress, httpVersion } = trace
  const userAgent = trace.header('user-agent')
  return {
    ...methodAttributes(method),
    ...serverAttributes(trace.origin),
    'url.scheme': new URL(trace.origin).protocol.slice(0, -1),
    'url.path': path,
    ...(query === undefined ? {} : { 'url.query': redactQuery(query, secrets) }),
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(clientAddress === undefined ? {} : { 'client.address': clientAddress }),
    ...(httpVersion === undefined ? {} : { 'network.protocol.version': httpVersion }),
    ...(userAgent === undefined ? {} : { 'user_agent.original': userAgent }),
  }
}

const serverAttributes = (url: string): Attributes => {
  const { hostname, port, protocol } = new URL(url)
  const standard = protocol === 'https:' ? 443 : 80
  return {
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port === '' ? standard : Number(port),
  }
}

/** Returns the attributes that are known before an attempt is sent. */
export const attemptAttributes = (
  { method, url, resendCount }: AttemptTrace,
  secrets: ReadonlySet<string>,
): Attributes => ({
  ...methodAttributes(method),
  ...serverAttributes(url),
  'url.full': redactUrl(url, secrets),
  ...(resendCount === 0 ? {} : { 'http.request.resend_count': resendCount }),
})

const redactUrl = (text: string, secrets: ReadonlySet<string>): string => {
  const url = new URL(text)
  if (url.username !== '') url.username = 'REDACTED'
  if (url.password !== '') url.password = 'REDACTED'
  const query = url.search.slice(1)
  if (query !== '') url.search = redactQuery(query, secrets)
  return url.href
}

/** Returns the value of `error.type`: the name of an error, or the status of a response that is an error. */
export const errorType = (
  error: unknown,
  status: number | undefined,
  firstErrorStatus: number,
): string | undefined => {
  if (error !== undefined) return nameOf(error)
  return status !== undefined && status >= firstErrorStatus ? String(status) : undefined
}

const nameOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return '_OTHER'
  const code: unknown = Reflect.get(error, 'code')
  const name: unknown = Reflect.get(error, 'name')
  if (typeof code === 'string' && code !== '') return code
  return typeof name === 'string' && name !== '' ? name : '_OTHER'
}
