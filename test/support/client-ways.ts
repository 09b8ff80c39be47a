/** Calls of whatever tree, in process and through a socket by `fetch` and by `undici`, for laws about arbitrary operations. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { getGlobalDispatcher } from 'undici'
import type { AnyAnswer, CallOptions, ClientError, ClientOptions } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import type { Routes } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'

export type AnyApi = Routes<unknown, {}, never>
export type AnyCall = (
  input?: object,
  options?: CallOptions,
) => TaskEither<ClientError | AnyAnswer, AnyAnswer>

/** Calls the operations of a tree, by their names. */
export type Way = (
  api: AnyApi,
  use: (call: (name: string) => AnyCall) => Promise<void>,
) => Promise<void>

const settings = { logger: silentLogger, 'fw.http.limits.max-form-attribute-size': '1M' } as const

const callsOf = (made: object) => (name: string) => Reflect.get(made, name) as AnyCall

const inProcess: Way = (api, use) =>
  use(callsOf(client(api, { baseUrl: 'http://service.test', fetch: inMemory(api, settings) })))

const throughSocket =
  (transport: Pick<ClientOptions, 'transport'>): Way =>
  async (api, use) => {
    const server = await serve(api, { ...settings, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
    try {
      await use(callsOf(client(api, { baseUrl: server.url, ...transport })))
    } finally {
      await server.close()
    }
  }

/** All ways, with how often a law is tried in them. */
export const ways: ReadonlyArray<readonly [name: string, way: Way, runs: number]> = [
  ['in process', inProcess, 100],
  ['through a socket', throughSocket({}), 20],
  [
    'through a socket and undici',
    throughSocket({ transport: undiciTransport(getGlobalDispatcher()) }),
    20,
  ],
]

/** The body of a success. */
export const answered = async (
  call: TaskEither<ClientError | AnyAnswer, AnyAnswer>,
): Promise<unknown> => {
  const result = await call()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right.body
}
