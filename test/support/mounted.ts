/** Serves route trees through `nodeListener`: in a plain `http.createServer`, or in the framework that an environment variable selects. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Routes } from '../../src/index.ts'
import type { NodeListener, NodeListenerOptions, ServeOptions } from '../../src/node.ts'
import { nodeListener } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'

/** A server that has mounted a route tree. */
export interface MountedServer {
  readonly url: string
  /** Closes the listener and the server. */
  readonly close: () => Promise<void>
}

/** Starts a server that passes all requests to a listener. `close` also closes its connections. */
export type StartServer = (listener: NodeListener) => Promise<MountedServer>

/** The URL of a module that exports a {@link StartServer} as `start`, or `undefined`. `npm run test:frameworks` sets it. */
export const framework = process.env['ESPALIER_TEST_FRAMEWORK']

const startPlain: StartServer = async (listener) => {
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const startServer = async (): Promise<StartServer> => {
  if (framework === undefined) return startPlain
  const { start } = (await import(framework)) as { readonly start: StartServer }
  return start
}

const listenerOptions = (options: ServeOptions): NodeListenerOptions => {
  const { signals: _signals, onClose: _onClose, directory: _directory, ...rest } = options
  return rest
}

/** Mounts a tree into a server on a free loopback port, without a log and without load shedding. */
export const serveMounted = async <T, E>(
  api: Routes<T, {}, E>,
  options: ServeOptions = {},
): Promise<MountedServer> => {
  const listener = nodeListener(api, {
    logger: silentLogger,
    'fw.http.overload.enabled': false,
    'fw.shutdown.timeout': '1s',
    // the contracts of paths contain other spellings
    'fw.rest.canonical-paths': 'never',
    ...listenerOptions(options),
  })
  await listener.ready
  const start = await startServer()
  const server = await start(listener)
  return {
    url: server.url,
    close: async () => {
      await server.close()
      await listener.close()
    },
  }
}
