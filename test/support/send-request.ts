/** Sends requests written as one line, such as `GET /books?page=2`, and reads the responses as values. */
import type { OutgoingHttpHeaders } from 'node:http'
import { request as httpRequest } from 'node:http'
import * as assert from 'uvu/assert'
import type { InMemoryCall } from '../../src/testing.ts'
import type { Test } from './describe.ts'
import { table } from './describe.ts'
import { base } from './contract.ts'

/** The status and the body of a response: the parsed value if the body is JSON, otherwise the text. */
export type StatusAndBody = readonly [status: number, body: unknown]

/** Sends a request given as a line: `GET /books?page=2`. */
export const sendRequest = (
  call: InMemoryCall,
  line: string,
  init: RequestInit = {},
): Promise<Response> => {
  const [method = '', target = ''] = line.split(' ')
  return call(new Request(`${base}${target}`, { ...init, method }))
}

/** Sends a request given as a line, and returns the status and body of its response. */
export const responseTo = async (
  call: InMemoryCall,
  line: string,
  init?: RequestInit,
): Promise<StatusAndBody> => {
  const response = await sendRequest(call, line, init)
  return [response.status, valueOf(await response.text())]
}

const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A row of a table of requests: a title, a request line, and the expected body of a 200 response or another status. */
export type Row = readonly [title: string, line: string, expected: unknown]

/** Registers a test for each row. A number is an expected status; any other value is the expected body of a 200 response. */
export const testRequests = (test: Test, call: InMemoryCall, rows: ReadonlyArray<Row>): void =>
  table<Row>(test, rows, async (_, line, expected) => {
    const [status, body] = await responseTo(call, line)
    if (typeof expected === 'number') assert.is(status, expected)
    else assert.equal([status, body], [200, expected])
  })

/** Reads the validation errors of a problem document. */
export const validationErrorsOf = async (
  response: Response,
): Promise<
  ReadonlyArray<readonly [location: string, name: string | undefined, detail: string]>
> => {
  const { errors = [] } = (await response.json()) as {
    readonly errors?: ReadonlyArray<{ in: string; name?: string; detail: string }>
  }
  return errors.map((error) => [error.in, error.name, error.detail])
}

/** Serializes the input of a handler as JSON: a set as `{"set":[…]}`, a map as an object, a bigint as `"1n"`. */
export const inputAsJson = (input: unknown): string =>
  JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Set
        ? { set: [...value] }
        : value instanceof Map
          ? Object.fromEntries(value)
          : value,
  )

/** Creates a handler that always returns the same text. */
export const returns = (result: string) => (): string => result

/** A request that `Request` cannot express: repeated header lines, a GET with a body, or the method TRACE. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

/** Sends a request with `node:http` to `url`. */
export const sendRawRequest = (
  url: string,
  { body = '', headers: requestHeaders = {}, ...options }: RawRequest,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const framed = { ...requestHeaders, 'Content-Length': Buffer.byteLength(body) }
    const sent = httpRequest(url, { ...options, headers: framed, agent: false }, (received) => {
      const chunks: Buffer[] = []
      received.on('data', (chunk: Buffer) => chunks.push(chunk))
      received.on('error', reject)
      received.on('end', () => {
        const { statusCode = 0, headers } = received
        const type = headers['content-type']
        resolve(
          new Response(Buffer.concat(chunks), {
            status: statusCode,
            headers: type === undefined ? {} : { 'Content-Type': type },
          }),
        )
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
