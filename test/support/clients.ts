/**
 * Runs the tests of a client three times: in memory, over a socket with `fetch`, and over a socket with undici. Tests use the
 * client of a route tree and do not depend on the transport.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { getGlobalDispatcher } from 'undici'
import type { ClientError, ClientOptions, TreeClient } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import type { Routes } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serveLocally } from './loopback.ts'
import { inMemory } from '../../src/testing.ts'
import type { Test } from './describe.ts'
import { describe } from './describe.ts'

/** Registers a suite for each transport. `createClient` is called within tests. */
export const clientContract = <T, E>(
  name: string,
  api: Routes<T, {}, E>,
  define: (
    test: Test,
    createClient: (options?: Partial<ClientOptions>) => TreeClient<T, E>,
  ) => void,
): void => {
  describe(`${name}, in memory`, (test) => {
    const fetch = inMemory(api, { logger: silentLogger })
    define(test, (options) => client(api, { baseUrl: 'http://service.test', fetch, ...options }))
  })
  const overSocket = (title: string, transport: Partial<ClientOptions>): void =>
    describe(`${name}, ${title}`, (test, { before, after }) => {
      let server: Server | undefined
      before(async () => {
        server = await serveLocally(api)
      })
      after(() => server?.close())
      define(test, ({ fetch, ...options } = {}) => {
        if (server === undefined) throw new Error('server not started')
        const selected = fetch === undefined ? transport : { fetch }
        return client(api, { baseUrl: server.url, ...selected, ...options })
      })
    })
  overSocket('over a socket', {})
  overSocket('over a socket with undici', { transport: undiciTransport(getGlobalDispatcher()) })
}

/** Runs a task and returns its right value. Throws for a left value. */
export const right = async <L, A>(task: TaskEither<L, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result))
    throw new Error(`expected a right value, got the failure ${JSON.stringify(result.left)}`)
  return result.right
}

/** Runs a task and returns its left value. Throws for a right value. */
export const left = async <L, A>(task: TaskEither<L, A>): Promise<L> => {
  const result = await task()
  if (E.isRight(result))
    throw new Error(`expected a left value, got ${JSON.stringify(result.right)}`)
  return result.left
}

/** Runs a call and returns its client error. Throws for any other result. */
export const errorIn = async (
  task: TaskEither<ClientError | object, unknown>,
): Promise<ClientError> => {
  const failure = await left(task)
  if ('_tag' in failure) return failure
  throw new Error(`expected a client error, got ${JSON.stringify(failure)}`)
}
