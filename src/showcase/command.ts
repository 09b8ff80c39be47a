/**
 * A command-line interface for the library. Operations are called by name with a typed client, created from the same
 * tree that the server uses. The client ignores the handlers, so a package with only the declarations would be
 * sufficient.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AnyDecodedResponse, CallOptions, ClientError, Fetch } from 'espalier/client'
import { basicAuth, client } from 'espalier/client'
import { api } from './api.ts'

/** The output streams and the `fetch` function used by a command. */
export interface Terminal {
  readonly out: Writable
  readonly error: (line: string) => void
  /** Function used to send requests. Default: the global `fetch`. */
  readonly fetch?: Fetch
}

const usage = `usage: cli.js [options] operation [input]

  books.getBook '{"path":{"isbn":"9780262510875"}}'

The input is JSON. Write a bigint as "1250n", and a file as {"path":"cover.png"}.

  --url       URL of the library; default: http://localhost:8080
  --user      user and password, such as ann:plum
  --as        media type of the request body
  --header    additional request header, such as 'If-Match: "1"'; may be repeated
  --out       file for the response body
  --count     maximum number of elements to read from a stream

Operations:
`

type Call = (
  input: object,
  options: CallOptions,
) => TaskEither<ClientError | AnyDecodedResponse, AnyDecodedResponse>

const isCall = (value: unknown): value is Call => typeof value === 'function'

/** Returns all functions of a client, each with its qualified name. */
export const callsOf = (library: object, prefix = ''): ReadonlyArray<readonly [string, Call]> =>
  Object.entries(library).flatMap(([key, member]: readonly [string, unknown]) =>
    isCall(member)
      ? [[`${prefix}${key}`, member] as const]
      : typeof member === 'object' && member !== null
        ? callsOf(member, `${prefix}${key}.`)
        : [],
  )

/**
 * Runs a command and writes the response. Resolves to the exit code: 0 for success, 1 for a declared failure, or 2 for
 * any other error.
 */
export const command = async (
  args: ReadonlyArray<string>,
  { out, error, fetch }: Terminal,
): Promise<0 | 1 | 2> => {
  try {
    const { values: flags, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    })
    const [user, ...password] = (flags.user ?? '').split(':')
    const library = client(api, {
      baseUrl: flags.url ?? 'http://localhost:8080',
      fetch,
      policies: user === '' || user === undefined ? [] : [basicAuth(user, password.join(':'))],
    })
    const calls = new Map(callsOf(library))
    const [name, input = '{}', ...others] = positionals
    if (flags.help === true || name === undefined) {
      out.write(`${usage}${[...calls.keys()].map((call) => `  ${call}\n`).join('')}`)
      return 0
    }
    const call = calls.get(name)
    if (call === undefined)
      throw new TypeError(`unknown operation ${name}: --help lists the operations`)
    if (others.length > 0) throw new TypeError(`unexpected arguments: ${others.join(' ')}`)
    const result = await call(readInput(input), {
      headers: Object.fromEntries((flags.header ?? []).map(parseHeader)),
      as: flags.as,
    })()
    const response = E.isLeft(result) ? result.left : result.right
    if ('_tag' in response) {
      error(response.message)
      return 2
    }
    error(String(response.status))
    const target = flags.out === undefined ? out : createWriteStream(flags.out)
    for await (const chunk of bodyChunks(response.body, Number(flags.count ?? Infinity)))
      if (!target.write(chunk)) await once(target, 'drain')
    if (target !== out) await once(target.end(), 'close')
    return E.isLeft(result) ? 1 : 0
  } catch (failure) {
    error(messageOf(failure))
    return 2
  }
}

const options = {
  url: { type: 'string' },
  user: { type: 'string' },
  as: { type: 'string' },
  header: { type: 'string', multiple: true },
  out: { type: 'string' },
  count: { type: 'string' },
  help: { type: 'boolean' },
} as const

const parseHeader = (line: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
  if (name === '')
    throw new TypeError(`invalid header ${JSON.stringify(line)}: expected 'Name: value'`)
  return [name, value]
}

const messageOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && 'message' in failure
    ? String(failure.message)
    : String(failure)

/**
 * Parses the input of an operation from JSON. A string such as `"1250n"` is converted to a `bigint`. Throws an error
 * for malformed JSON and for primitive values.
 */
export const readInput = (text: string): object => {
  const input: unknown = JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
  if (typeof input !== 'object' || input === null)
    throw new TypeError('the input must be an object')
  return input
}

/**
 * Yields the chunks to print for a response body. Bytes and text are printed unchanged. For a stream, at most `limit`
 * elements are printed, one per line.
 */
export async function* bodyChunks(
  body: unknown,
  limit: number,
): AsyncGenerator<string | Uint8Array> {
  if (body === undefined) return
  if (typeof body === 'string') return yield `${body}\n`
  if (!isStream(body)) return yield toChunk(body)
  let count = 0
  if (count >= limit) return
  for await (const element of body) {
    yield toChunk(element)
    if (++count >= limit) return
  }
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const toChunk = (value: unknown): string | Uint8Array =>
  value instanceof Uint8Array || typeof value === 'string'
    ? value
    : `${JSON.stringify(value, printable)}\n`

/** Replaces values that have no JSON representation, such as bigints and files, with printable values. */
const printable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Blob) return { contentType: value.type, size: value.size }
  return value
}
