/** From the input of a call to the request that is sent for it. */
import * as E from 'fp-ts/lib/Either.js'
import type { Context } from '../endpoint/context.ts'
import { fieldName } from '../endpoint/field-name.ts'
import type { Fault } from '../http/failure.ts'
import * as Grammar from '../http/grammar.ts'
import { acceptField } from './accept-field.ts'
import type { Base } from './base-url.ts'
import { baseOf } from './base-url.ts'
import type { CallOptions, HeaderFields } from './call-options.ts'
import type { ClientRequest } from './exchange.ts'
import { cookieWriter, headerWriter } from './field-writer.ts'
import type { Input } from './input.ts'
import type { Operation } from './operation.ts'
import { nearest } from './nearest-fields.ts'
import { pathWriter } from './path-writer.ts'
import type { Lists } from './query-writer.ts'
import { formWriter, queryWriter } from './query-writer.ts'
import type { WrittenBody } from './request-body.ts'
import { requestBody } from './request-body.ts'
import { userAgent } from './user-agent.ts'

type Written = E.Either<ReadonlyArray<Fault>, ClientRequest>

export type WriteRequest = (input: Input, options: CallOptions) => Written | Promise<Written>

/** What a client says of all its requests. */
export interface Sender {
  readonly base: Base
  readonly headers: HeaderFields
  readonly lists: Lists
}

/** Prepares the requests of an operation; `Left` with the media types of bodies that a client does not write. */
export const requestWriter = (
  { info, template, definition, bodies, entities, responses }: Operation,
  { base, headers, lists }: Sender,
  context: Context,
): E.Either<ReadonlyArray<string>, WriteRequest> => {
  const { parameters } = definition
  const path = pathWriter(template, parameters.path, parameters.matrix)
  const query = queryWriter(parameters.query, definition.queryMap, lists)
  const fields = headerWriter(parameters.header, fieldName)
  const cookies = cookieWriter(parameters.cookie)
  const form = parameters.form.size === 0 ? undefined : formWriter(parameters.form)
  const body = requestBody(bodies, entities, context)
  if (E.isLeft(body)) return body
  const write = body.right
  const accept = acceptField(responses.values())
  const always = Object.entries(headers).flat()
  return E.right((input, options) => {
    const faults: Fault[] = []
    const target = targetOf(path(input, faults), query(input, faults))
    const given = [...fields(input, faults), ...cookies(input, faults)]
    const own = options.headers === undefined ? none : ofRecord(options.headers, faults)
    const at = options.baseUrl === undefined ? E.right(base) : baseOf(options.baseUrl)
    if (E.isLeft(at)) faults.push({ in: 'path', name: 'baseUrl', detail: at.left })
    const finished = (content: WrittenBody): Written => {
      if (E.isLeft(content)) faults.push(...content.left)
      if (faults.length > 0 || E.isLeft(content) || E.isLeft(at)) return E.left(faults)
      const sent = content.right
      const { url, authorization } = at.right
      const agent = userAgent()
      return E.right({
        operation: info,
        method: info.method,
        url: url + target,
        headers: nearest([
          [
            ...['accept', accept],
            ...(sent === undefined ? [] : ['content-type', sent.contentType, ...sent.headers]),
            ...(agent === undefined ? [] : ['user-agent', agent]),
            ...(authorization === undefined ? [] : ['authorization', authorization]),
          ],
          always,
          given,
          own,
        ]),
        body: sent === undefined ? undefined : { _tag: 'Whole', content: sent.content },
        signal: options.signal,
      })
    }
    if (form !== undefined)
      return finished(
        E.right({
          contentType: 'application/x-www-form-urlencoded',
          content: form(input, faults),
          headers: [],
        }),
      )
    if (bodies.length === 0) return finished(nothing)
    const content = write(Object.hasOwn(input, 'body') ? input['body'] : undefined, options.as)
    return content instanceof Promise ? content.then(finished) : finished(content)
  })
}

const none: ReadonlyArray<string> = Object.freeze([])

const nothing: WrittenBody = E.right(undefined)

const targetOf = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)

const ofRecord = (headers: HeaderFields, faults: Fault[]): ReadonlyArray<string> => {
  for (const [name, value] of Object.entries(headers))
    if (!isField(name, value)) faults.push({ in: 'header', name, detail: 'is no header field' })
  return Object.entries(headers).flat()
}

/** Whether a header field can be sent. */
export const isField = (name: string, value: unknown): boolean =>
  Grammar.isToken(name) && typeof value === 'string' && Grammar.isFieldValue(value)
