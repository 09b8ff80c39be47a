/** Clients of arbitrary route trees, for property-based tests: in process, and through a socket with `fetch` and with `undici`. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { getGlobalDispatcher } from 'undici'
import type {
  AnyDecodedResponse,
  CallOptions,
  ClientError,
  ClientOptions,
} from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import type { Routes } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { repetitions } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { inMemory } from '../../src/testing.ts'

export type AnyApi = Routes<unknown>
export type AnyCall = (
  input?: object,
  options?: CallOptions,
) => TaskEither<ClientError | AnyDecodedResponse, AnyDecodedResponse>

/** Serves a tree and passes a function that returns the call of an operation by name. */
export type Environment = (
  api: AnyApi,
  use: (call: (name: string) => AnyCall) => Promise<void>,
) => Promise<void>

const settings = { logger: silentLogger, 'fw.http.limits.max-form-attribute-size': '1M' } as const

const callByName = (calls: object) => (name: string) => Reflect.get(calls, name) as AnyCall

const inMemoryEnvironment: Environment = (api, use) =>
  use(callByName(client(api, { baseUrl: 'http://service.test', fetch: inMemory(api, settings) })))

const socketEnvironment =
  (transport: Pick<ClientOptions, 'transport'>): Environment =>
  async (api, use) => {
    const server = await serveLocally(api, settings)
    try {
      await use(callByName(client(api, { baseUrl: server.url, ...transport })))
    } finally {
      await server.close()
    }
  }

/** All environments, each with the number of runs of a property. */
export const environments: ReadonlyArray<
  readonly [name: string, environment: Environment, runs: number]
> = [
  ['in process', inMemoryEnvironment, repetitions(6, 100)],
  ['through a socket', socketEnvironment({}), repetitions(2, 20)],
  [
    'through a socket and undici',
    socketEnvironment({ transport: undiciTransport(getGlobalDispatcher()) }),
    repetitions(2, 20),
  ],
]

/** Runs a call and returns the body of its success. Throws for a failure. */
export const successBody = async (
  call: TaskEither<ClientError | AnyDecodedResponse, AnyDecodedResponse>,
): Promise<unknown> => {
  const result = await call()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right.body
}
