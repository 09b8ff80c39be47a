/**
 * The library on a command line: each of its operations by name, through the client of the very value that is served. The value
 * has its handlers in it, which a client does not look at; who has only the declarations, in a package of their own say, has the same
 * client.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AnyAnswer, CallOptions, ClientError, Fetch } from 'espalier/client'
import { basicAuth, client } from 'espalier/client'
import { api } from './api.ts'
import { readInput, shown } from './input.ts'

/** Where a command is given. */
export interface Terminal {
  readonly out: Writable
  readonly error: (line: string) => void
  /** That of the platform unless it is said. */
  readonly fetch?: Fetch
}

const usage = `usage: cli.js [options] operation [input]

  books.getBook '{"path":{"isbn":"9780262510875"}}'

The input is JSON. A whole number that is no number of JSON is written "1250n", a file {"path":"cover.png"}.

  --url       where the library is; http://localhost:8080 unless it is said
  --user      who asks: ann:plum
  --as        the media type of what is sent
  --header    one more field, such as 'If-Match: "1"'; as often as there are fields
  --out       the file into which the answer goes
  --count     how much of a stream is wanted

Operations:
`

type Call = (input: object, options: CallOptions) => TaskEither<ClientError | AnyAnswer, AnyAnswer>

const isCall = (value: unknown): value is Call => typeof value === 'function'

/** All functions of a client by their names. */
export const callsOf = (library: object, before = ''): ReadonlyArray<readonly [string, Call]> =>
  Object.entries(library).flatMap(([key, one]: readonly [string, unknown]) =>
    isCall(one)
      ? [[`${before}${key}`, one] as const]
      : typeof one === 'object' && one !== null
        ? callsOf(one, `${before}${key}.`)
        : [],
  )

/** Gives a command and writes what it answers. The status of the process: 0, 1 for a declared failure, 2 for everything else. */
export const command = async (
  args: ReadonlyArray<string>,
  { out, error, fetch }: Terminal,
): Promise<0 | 1 | 2> => {
  try {
    const { values: said, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    })
    const [user, ...password] = (said.user ?? '').split(':')
    const library = client(api, {
      baseUrl: said.url ?? 'http://localhost:8080',
      fetch,
      policies: user === '' || user === undefined ? [] : [basicAuth(user, password.join(':'))],
    })
    const calls = new Map(callsOf(library))
    const [name, input = '{}', ...others] = positionals
    if (said.help === true || name === undefined) {
      out.write(`${usage}${[...calls.keys()].map((one) => `  ${one}\n`).join('')}`)
      return 0
    }
    const call = calls.get(name)
    if (call === undefined) throw new TypeError(`there is no operation ${name}: --help names them`)
    if (others.length > 0) throw new TypeError(`what is ${others.join(' ')}?`)
    const answer = await call(readInput(input), {
      headers: Object.fromEntries((said.header ?? []).map(fieldOf)),
      as: said.as,
    })()
    const told = E.isLeft(answer) ? answer.left : answer.right
    if ('_tag' in told) {
      error(told.message)
      return 2
    }
    error(String(told.status))
    const to = said.out === undefined ? out : createWriteStream(said.out)
    for await (const piece of shown(told.body, Number(said.count ?? Infinity)))
      if (!to.write(piece)) await once(to, 'drain')
    if (to !== out) await once(to.end(), 'close')
    return E.isLeft(answer) ? 1 : 0
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

const fieldOf = (line: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
  if (name === '') throw new TypeError(`${JSON.stringify(line)} is no field: write 'Name: value'`)
  return [name, value]
}

const messageOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && 'message' in failure
    ? String(failure.message)
    : String(failure)
