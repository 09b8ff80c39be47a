/**
 * One behaviour of a client, three times: in process, and through a socket by `fetch` and by `undici`. A test is written against the client of a tree, so it cannot
 * know what its calls went through.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { getGlobalDispatcher } from 'undici'
import type { Client, ClientError, ClientOptions } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import type { Answered } from '../../src/client/client-types.ts'
import type { Routes } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import type { Test } from './describe.ts'
import { describe } from './describe.ts'

/** A suite for each way. The client is made when it is asked for. */
export const called = <T, E>(
  name: string,
  api: Routes<T, {}, E>,
  define: (
    test: Test,
    calling: (options?: Partial<ClientOptions>) => Client<T, Answered<E>>,
  ) => void,
): void => {
  describe(`${name}, in process`, (test) => {
    const fetch = inMemory(api, { logger: silentLogger })
    define(test, (options) => client(api, { baseUrl: 'http://service.test', fetch, ...options }))
  })
  const through = (way: string, transport: Partial<ClientOptions>): void =>
    describe(`${name}, ${way}`, (test, { before, after }) => {
      let server: Server | undefined
      before(async () => {
        server = await serve(api, {
          logger: silentLogger,
          'fw.http.port': 0,
          'fw.shutdown.grace': 0,
        })
      })
      after(() => server?.close())
      define(test, ({ fetch, ...options } = {}) => {
        if (server === undefined) throw new Error('the server has not started')
        const sends = fetch === undefined ? transport : { fetch }
        return client(api, { baseUrl: server.url, ...sends, ...options })
      })
    })
  through('through a socket', {})
  through('through a socket and undici', { transport: undiciTransport(getGlobalDispatcher()) })
}

/** What is on the right, which has to be there. */
export const right = async <L, A>(task: TaskEither<L, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(`a failure: ${JSON.stringify(result.left)}`)
  return result.right
}

/** What is on the left, which has to be there. */
export const left = async <L, A>(task: TaskEither<L, A>): Promise<L> => {
  const result = await task()
  if (E.isRight(result)) throw new Error(`a success: ${JSON.stringify(result.right)}`)
  return result.left
}

/** An error of a call, which the failure has to be. */
export const errorIn = async (
  task: TaskEither<ClientError | object, unknown>,
): Promise<ClientError> => {
  const failure = await left(task)
  if ('_tag' in failure) return failure
  throw new Error(`no error: ${JSON.stringify(failure)}`)
}
