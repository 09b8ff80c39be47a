/** Creates the request for a call from the input and options of the call. */
import * as E from 'fp-ts/lib/Either.js'
import * as Grammar from '../../http/grammar.ts'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import { headerName } from '../../endpoint/parameters.ts'
import { requiresMultipart } from '../../endpoint/body.ts'
import type { ValidationError } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { Base } from '../base-url.ts'
import { toClientBody } from './plain-body.ts'
import type { HeaderRecord, ParsedCallOptions } from '../call-options.ts'
import type { EncodeError } from '../client-error.ts'
import type { ClientRequest } from '../exchange.ts'
import { cookieWriter, headerWriter, acceptHeader, requestHeaders } from './request-headers.ts'
import type { AnyCallInput } from './parameter-values.ts'
import type { BodyEnvironment } from './body-writer.ts'
import type { multipartFormWriter, formBody } from './multipart-form.ts'
import type { ClientOperation } from '../response-plan.ts'
import { pathWriter } from './path-writer.ts'
import type { Lists } from './query-writer.ts'
import { formWriter, queryWriter } from './query-writer.ts'
import type { FurtherBodies } from './request-body.ts'
import { requestBody } from './request-body.ts'
import type { RequestBody, WrittenBody } from './plain-body.ts'
import { isPromise } from '../../http/platform-value.ts'

type Written = E.Either<EncodeError['errors'], ClientRequest>

/** Creates a request. If the options or the input are invalid, returns a `Left` that contains all errors. */
export type WriteRequest = (
  input: AnyCallInput,
  options: ParsedCallOptions,
) => Written | Promise<Written>

/** Client settings that apply to all requests. */
export interface Sender {
  readonly base: Base
  readonly headers: HeaderRecord
  readonly lists: Lists
}

/** Functions that write multipart forms and bodies that are not plain. */
export interface FurtherRequests {
  readonly furtherBodies: (environment: BodyEnvironment) => FurtherBodies
  readonly formBody: typeof formBody
  readonly multipartFormWriter: typeof multipartFormWriter
}

/**
 * Creates the function that writes the requests for an operation. `further` is required for multipart forms, and for bodies other than
 * JSON, text and bytes.
 */
export const requestWriter = (
  { info, template, definition, path, bodies, responses }: ClientOperation,
  { base, headers, lists }: Sender,
  environment: BodyEnvironment,
  further?: FurtherRequests,
): WriteRequest => {
  const { parameters } = definition
  const writePath = pathWriter(template, path, parameters.matrix)
  const writeQuery = queryWriter(parameters.query, definition.queryMap, lists)
  const writeHeaders = headerWriter(parameters.header, headerName)
  const writeCookies = cookieWriter(parameters.cookie)
  const writeForm = formWriterOf(parameters.form, environment, further)
  const writeBody = requestBody(
    bodies,
    environment.entities,
    environment.jsonSettings,
    further?.furtherBodies(environment),
  )
  const mayRedirect = [...responses.keys()].some((status) => redirects.has(status))
  const createHeaders = requestHeaders(
    acceptHeader(responses.values()),
    base,
    Object.entries(headers).flat(),
    [
      ...[...parameters.header.keys()].map(headerName),
      ...(parameters.cookie.size === 0 ? [] : ['cookie']),
    ],
  )
  const hasCookies = parameters.cookie.size > 0
  const finish = (
    { errors, target, parameterHeaders, optionHeaders, options }: Draft,
    written: WrittenBody,
  ): Written => {
    if (E.isLeft(written)) errors.push(...written.left)
    if (errors.length > 0 || E.isLeft(written) || options.errors.length > 0)
      return E.left([...options.errors, ...errors])
    const body = written.right
    const requestBase = options.base ?? base
    return E.right({
      operation: info,
      method: info.method,
      url: requestBase.url + target,
      headers: createHeaders({
        body,
        base: requestBase,
        parameters: parameterHeaders,
        options: optionHeaders,
      }),
      body: body === undefined ? undefined : toClientBody(body.content),
      mayRedirect,
      signal: options.signal,
    })
  }
  return (input, options) => {
    const errors: ValidationError[] = []
    const target = joinTarget(writePath(input, errors), writeQuery(input, errors))
    const headerParameters = writeHeaders(input, errors)
    const parameterHeaders = hasCookies
      ? [...headerParameters, ...writeCookies(input, errors)]
      : headerParameters
    const optionHeaders =
      options.headers === undefined ? noHeaders : checkHeaders(options.headers, errors)
    const draft: Draft = { errors, target, parameterHeaders, optionHeaders, options }
    if (writeForm !== undefined) {
      const form = writeForm(input, errors)
      return isPromise(form)
        ? form.then((body) => finish(draft, E.right(body)))
        : finish(draft, E.right(form))
    }
    if (bodies.length === 0) return finish(draft, emptyRequestBody)
    const body = writeBody(Object.hasOwn(input, 'body') ? input['body'] : undefined, options.as)
    return isPromise(body) ? body.then((result) => finish(draft, result)) : finish(draft, body)
  }
}

/** A request whose body has not been written yet. */
interface Draft {
  readonly errors: ValidationError[]
  readonly target: string
  /** Headers from header parameters and cookies. */
  readonly parameterHeaders: Headers
  /** Headers from the call options. */
  readonly optionHeaders: Headers
  readonly options: ParsedCallOptions
}

const noHeaders: ReadonlyArray<string> = Object.freeze([])
type WriteForm = (
  input: AnyCallInput,
  errors: ValidationError[],
) => RequestBody | Promise<RequestBody>

/**
 * Creates a form writer. Forms that contain a file or a structured part are sent as multipart bodies. All other forms
 * are URL-encoded.
 */
const formWriterOf = (
  declared: ParameterMap,
  environment: BodyEnvironment,
  further: FurtherRequests | undefined,
): WriteForm | undefined => {
  if (declared.size === 0) return undefined
  if (further !== undefined && [...declared.values()].some(requiresMultipart)) {
    const write = further.multipartFormWriter(declared, environment, further.furtherBodies)
    return async (input, errors) => further.formBody(await write(input, errors))
  }
  const write = formWriter(declared)
  return (input, errors) => ({
    contentType: 'application/x-www-form-urlencoded',
    content: write(input, errors),
    headers: [],
  })
}

/** Statuses for which `fetch` follows redirects. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const emptyRequestBody: WrittenBody = E.right(undefined)

const joinTarget = (path: string, query: string): string =>
  query === '' ? path : `${path}?${query}`

/** Converts headers to alternating names and values. Adds a validation error to `errors` for each invalid header. */
const checkHeaders = (headers: HeaderRecord, errors: ValidationError[]): ReadonlyArray<string> => {
  for (const [name, value] of Object.entries(headers)) {
    const detail = headerError(name, value)
    if (detail !== undefined) errors.push({ in: 'header', name, detail })
  }
  return Object.entries(headers).flat()
}

/** Describes why the name or the value of a header is invalid. Returns `undefined` for a valid header. */
export const headerError = (name: string, value: unknown): string | undefined => {
  if (!Grammar.isToken(name)) return 'must have a token as its name (RFC 9110, 5.6.2)'
  return typeof value === 'string' ? Grammar.headerValueError(value) : 'must be a string'
}
