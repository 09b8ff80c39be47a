/** Requests in a line, and what comes back as a value: so that a row of a contract is readable as a table. */
import type { OutgoingHttpHeaders } from 'node:http'
import { request as httpRequest } from 'node:http'
import * as assert from 'uvu/assert'
import type { Call } from '../../src/testing.ts'
import type { Test } from './describe.ts'
import { table } from './describe.ts'
import { base } from './contract.ts'

/** Status and content: the value it is JSON of, else the text. */
export type Answer = readonly [status: number, content: unknown]

/** Sends `GET /books?page=2`. */
export const ask = (call: Call, line: string, init: RequestInit = {}): Promise<Response> => {
  const [method = '', target = ''] = line.split(' ')
  return call(new Request(`${base}${target}`, { ...init, method }))
}

/** The answer to a request in a line. */
export const answerTo = async (call: Call, line: string, init?: RequestInit): Promise<Answer> => {
  const response = await ask(call, line, init)
  return [response.status, valueOf(await response.text())]
}

const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A row of a contract: a name, a request in a line, and the content that it is answered with, or the status alone. */
export type Row = readonly [name: string, line: string, expected: unknown]

/** A test for each row. A number stands for a status, everything else for the content of a 200. */
export const answers = (test: Test, call: Call, rows: ReadonlyArray<Row>): void =>
  table<Row>(test, rows, async (_, line, expected) => {
    const [status, content] = await answerTo(call, line)
    if (typeof expected === 'number') assert.is(status, expected)
    else assert.equal([status, content], [200, expected])
  })

/** What a problem document says is wrong: where, of what name, and what was expected. */
export const faultsOf = async (
  response: Response,
): Promise<ReadonlyArray<readonly [place: string, name: string | undefined, detail: string]>> => {
  const { errors = [] } = (await response.json()) as {
    readonly errors?: ReadonlyArray<{ in: string; name?: string; detail: string }>
  }
  return errors.map((fault) => [fault.in, fault.name, fault.detail])
}

/** The input of a handler as JSON. A set is an array behind its tag, a bigint a text with an n behind it. */
export const shown = (input: unknown): string =>
  JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Set
        ? { set: [...value] }
        : value instanceof Map
          ? Object.fromEntries(value)
          : value,
  )

/** A handler that always answers the same. */
export const says = (word: string) => (): string => word

/** What cannot be said with a `Request`: a field in several lines, content of a GET, the method TRACE. */
export interface Lines {
  readonly method?: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly content?: string
}

/** Sends such a request to a server. */
export const sendLines = (
  url: string,
  { content = '', headers: fields = {}, ...options }: Lines,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const framed = { ...fields, 'Content-Length': Buffer.byteLength(content) }
    const sent = httpRequest(url, { ...options, headers: framed, agent: false }, (received) => {
      const pieces: Buffer[] = []
      received.on('data', (piece: Buffer) => pieces.push(piece))
      received.on('error', reject)
      received.on('end', () => {
        const { statusCode = 0, headers } = received
        const type = headers['content-type']
        resolve(
          new Response(Buffer.concat(pieces), {
            status: statusCode,
            headers: type === undefined ? {} : { 'Content-Type': type },
          }),
        )
      })
    })
    sent.on('error', reject)
    sent.end(content)
  })
