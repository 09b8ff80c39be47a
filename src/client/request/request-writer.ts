/** Creates the request for a call from the input and options of the call. */
import * as E from 'fp-ts/lib/Either.js'
import * as Grammar from '../../http/grammar.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { Definition } from '../../endpoint/endpoint.ts'
import { headerName } from '../../endpoint/definition/header-name.ts'
import { requiresMultipart } from '../../endpoint/body.ts'
import type { ValidationError } from '../../http/failure.ts'
import { toClientBody } from './plain-body.ts'
import type { Base, HeaderRecord, ParsedCallOptions } from '../call-options.ts'
import type { EncodeError } from '../client-error.ts'
import type { ClientRequest } from '../exchange.ts'
import { cookieWriter, headerWriter, acceptHeader, requestHeaders } from './request-headers.ts'
import type { AnyCallInput } from './parameter-values.ts'
import type { BodyEnvironment } from './body-writer.ts'
import type { multipartFormWriter } from './multipart-form.ts'
import type { ClientOperation } from '../response-plan.ts'
import { pathWriter } from './path-writer.ts'
import type { Lists } from './query-writer.ts'
import { formWriter, queryWriter } from './query-writer.ts'
import type { FurtherBodies } from './request-body.ts'
import { requestBody } from './request-body.ts'
import type { WrittenBody } from './plain-body.ts'
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
  const writeBody = bodyWriterOf(definition, bodies, environment, further)
  const mayRedirect = [...responses.keys()].some((status) => redirects.has(status))
  const createHeaders = requestHeaders(
    acceptHeader(responses.values()),
    Object.entries(headers).flat(),
  )
  return (input, options) => {
    const errors: ValidationError[] = []
    const target = joinTarget(writePath(input, errors), writeQuery(input, errors))
    const parameterHeaders = [...writeHeaders(input, errors), ...writeCookies(input, errors)]
    const optionHeaders =
      options.headers === undefined ? noHeaders : checkHeaders(options.headers, errors)
    const finish = (written: WrittenBody): Written => {
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
          isKeyed: info.isKeyed === true,
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
    const written = writeBody(input, options.as, errors)
    return isPromise(written) ? written.then(finish) : finish(written)
  }
}

const noHeaders: ReadonlyArray<string> = Object.freeze([])

/** Writes the body or the form in the input. Adds a validation error to `errors` for each invalid part of a form. */
type WriteInputBody = (
  input: AnyCallInput,
  as: string | undefined,
  errors: ValidationError[],
) => WrittenBody | Promise<WrittenBody>

/**
 * Creates a writer for bodies. Forms that contain a file or a structured part are sent as multipart bodies. All other
 * forms are URL-encoded.
 */
const bodyWriterOf = (
  { parameters: { form } }: Definition,
  bodies: ReadonlyArray<BodyPlan>,
  environment: BodyEnvironment,
  further: FurtherRequests | undefined,
): WriteInputBody => {
  if (further !== undefined && [...form.values()].some(requiresMultipart)) {
    const write = further.multipartFormWriter(form, environment, further.furtherBodies)
    return async (input, _, errors) => E.right(await write(input, errors))
  }
  if (form.size > 0) {
    const write = formWriter(form)
    return (input, _, errors) =>
      E.right({
        contentType: 'application/x-www-form-urlencoded',
        content: write(input, errors),
        headers: noHeaders,
      })
  }
  if (bodies.length === 0) return () => emptyRequestBody
  const { entities, jsonSettings } = environment
  const write = requestBody(bodies, entities, jsonSettings, further?.furtherBodies(environment))
  return (input, as) => write(Object.hasOwn(input, 'body') ? input['body'] : undefined, as)
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
