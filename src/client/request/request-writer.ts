/** Creates the request of a call from its input and options. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ParameterMap } from '../../endpoint/endpoint.ts'
import { headerName } from '../../endpoint/parameters.ts'
import { isFormPart } from '../../endpoint/form.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import type { Headers } from '../../http/headers.ts'
import type { Base } from './base-url.ts'
import { clientBody } from './written-body.ts'
import type { HeaderFields, ParsedCallOptions } from '../call-options.ts'
import type { EncodeError } from '../client-error.ts'
import type { ClientRequest } from '../exchange.ts'
import { cookieWriter, headerWriter } from './header-writer.ts'
import type { Input } from './call-input.ts'
import type { BodyEnvironment } from '../body-environment.ts'
import { formBody } from './multipart-body.ts'
import { multipartWriter } from './multipart-form.ts'
import { partsWriter } from './part-list.ts'
import type { ClientOperation } from '../client-operation.ts'
import { pathWriter } from './path-writer.ts'
import type { Lists } from './query-writer.ts'
import { formWriter, queryWriter } from './query-writer.ts'
import { requestBody } from './request-body.ts'
import { acceptHeader, requestHeaders } from './request-headers.ts'
import type { RequestBody, WrittenBody } from './written-body.ts'

type Written = E.Either<EncodeError['faults'], ClientRequest>

/** Creates a request. `Left` contains all errors of the options and of the input. */
export type WriteRequest = (input: Input, options: ParsedCallOptions) => Written | Promise<Written>

/** The settings of a client that apply to all its requests. */
export interface Sender {
  readonly base: Base
  readonly headers: HeaderFields
  readonly lists: Lists
}

/** Prepares the requests of an operation; `Left` contains the media types of bodies that a client cannot write. */
export const requestWriter = (
  { info, template, definition, bodies, responses }: ClientOperation,
  { base, headers, lists }: Sender,
  environment: BodyEnvironment,
): E.Either<ReadonlyArray<string>, WriteRequest> => {
  const { parameters } = definition
  const path = pathWriter(template, parameters.path, parameters.matrix)
  const query = queryWriter(parameters.query, definition.queryMap, lists)
  const fields = headerWriter(parameters.header, headerName)
  const cookies = cookieWriter(parameters.cookie)
  const form = formOf(parameters.form, environment)
  const body = requestBody(
    bodies,
    environment,
    partsWriter(environment.entities, environment.usual),
  )
  if (E.isLeft(form)) return form
  if (E.isLeft(body)) return body
  const write = body.right
  const mayRedirect = [...responses.keys()].some((status) => redirections.has(status))
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
  const finished = (
    { errors, target, given, own, options }: Draft,
    written: WrittenBody,
  ): Written => {
    if (E.isLeft(written)) errors.push(...written.left)
    if (errors.length > 0 || E.isLeft(written) || options.errors.length > 0)
      return E.left([...options.errors, ...errors])
    const sent = written.right
    const at = options.base ?? base
    return E.right({
      operation: info,
      method: info.method,
      url: at.url + target,
      headers: createHeaders({ body: sent, base: at, parameters: given, options: own }),
      body: sent === undefined ? undefined : clientBody(sent.content),
      mayRedirect,
      signal: options.signal,
    })
  }
  return E.right((input, options) => {
    const errors: ValidationError[] = []
    const target = targetOf(path(input, errors), query(input, errors))
    const named = fields(input, errors)
    const given = hasCookies ? [...named, ...cookies(input, errors)] : named
    const own = options.headers === undefined ? none : ofRecord(options.headers, errors)
    const draft: Draft = { errors, target, given, own, options }
    if (form.right !== undefined) {
      const content = form.right(input, errors)
      return content instanceof Promise
        ? content.then((one) => finished(draft, E.right(one)))
        : finished(draft, E.right(content))
    }
    if (bodies.length === 0) return finished(draft, nothing)
    const content = write(Object.hasOwn(input, 'body') ? input['body'] : undefined, options.as)
    return content instanceof Promise
      ? content.then((one) => finished(draft, one))
      : finished(draft, content)
  })
}

/** A request before its body is written. */
interface Draft {
  readonly errors: ValidationError[]
  readonly target: string
  /** The headers of parameters, and those of the call options. */
  readonly given: Headers
  readonly own: Headers
  readonly options: ParsedCallOptions
}

const none: ReadonlyArray<string> = Object.freeze([])
type WriteForm = (input: Input, errors: ValidationError[]) => RequestBody | Promise<RequestBody>

/** Prepares writing a form: multipart if it has a file or a structured part, otherwise URL-encoded. */
const formOf = (
  declared: ParameterMap,
  environment: BodyEnvironment,
): E.Either<ReadonlyArray<string>, WriteForm | undefined> => {
  if (declared.size === 0) return E.right(undefined)
  if ([...declared.values()].some(isFormPart))
    return pipe(
      multipartWriter(declared, environment),
      E.map((write) => async (input, errors) => formBody(await write(input, errors))),
    )
  const write = formWriter(declared)
  return E.right((input, errors) => ({
    contentType: 'application/x-www-form-urlencoded',
    content: write(input, errors),
    headers: [],
  }))
}

/** The statuses that `fetch` follows as redirects. */
const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const nothing: WrittenBody = E.right(undefined)

const targetOf = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)

const ofRecord = (headers: HeaderFields, errors: ValidationError[]): ReadonlyArray<string> => {
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name, value))
      errors.push({ in: 'header', name, detail: 'invalid header name or value' })
  return Object.entries(headers).flat()
}

/** Whether a header has a valid name and value. */
export const isHeader = (name: string, value: unknown): boolean =>
  Grammar.isToken(name) && typeof value === 'string' && Grammar.isHeaderValue(value)
