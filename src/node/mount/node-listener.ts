/** Mounts a route tree into an existing server, such as an Express application. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setMaxListeners } from 'node:events'
import type { Servable } from '../../endpoint/tree/complete-tree.ts'
import { ConfigurationError } from '../../endpoint/definition/configuration-error.ts'
import type { ValidOptions } from '../../compiler/settings/settings.ts'
import * as Category from '../../compiler/settings/logger.ts'
import type { Program } from '../../interpreter/program.ts'
import { compile } from '../../interpreter/program.ts'
import { createBodyMemory } from '../body-memory.ts'
import { isServeDisabled } from '../disable-serve.ts'
import { noUploadsDirectory, prepareUploadsDirectory } from '../files/uploads-directory.ts'
import { jsonLogger } from '../json-logger.ts'
import { createServerCore } from '../server-core.ts'
import type { NodeRequest, NodeResponse } from '../node-request.ts'
import { createPlatform } from '../platform.ts'
import { preload, receivesFiles } from '../preload.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { clientCertificates } from '../tls/client-certificate.ts'
import {
  loadRequirements,
  missingModule,
  needsWorkers,
  unsupportedMethods,
} from '../startup-checks.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { NodeListenerOptions } from './listener-options.ts'
import { listenerSources } from './listener-options.ts'
import { readPrefixOption } from './mount-path.ts'
import { MountedConnections } from './mounted-connections.ts'
import type { ProcessRequest } from './mounted-tree.ts'
import { isInTree, requestProcessor } from './mounted-tree.ts'

/** Handles requests that another server has received. */
export interface NodeListener {
  /**
   * Processes a request of `node:http` or `node:https`. If `next` is given, it is called, synchronously, for paths that match no
   * template of the tree; the request and the response are then unchanged. In all other cases, the tree responds: also with 405 to
   * other methods, and to errors, which are not passed to `next`.
   */
  (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void): void
  /**
   * Resolves when the tree can process requests. Requests that arrive earlier wait. Rejects with a `ConfigurationError` if, for
   * example, the uploads directory cannot be used or the workers cannot be started.
   */
  readonly ready: Promise<void>
  /**
   * Aborts `context.application.stopping`, waits until no request is in flight, and stops the workers. Resolves after at most
   * `fw.shutdown.timeout`: connections that are still busy are then destroyed. Further calls return the same promise.
   *
   * Until it resolves, requests are processed, and each response closes its connection. Afterwards, requests are rejected with 503.
   */
  readonly close: () => Promise<void>
}

/**
 * Returns a function that handles the requests of an existing server: `http.createServer`, Express, Connect and NestJS call it
 * directly. Koa and Fastify pass the underlying `node:http` objects.
 *
 * Throws a `ConfigurationError` that lists all errors in the tree and the settings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { once } from 'node:events'
 * import { createServer } from 'node:http'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { nodeListener } from 'espalier/node'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const listener = nodeListener(routes({ hello }), { 'fw.http.limits.max-body-size': '20M' })
 * const server = createServer((request, response) =>
 *   listener(request, response, () => response.end('old application')),
 * )
 * server.listen(0)
 * await once(server, 'listening')
 * const address = server.address()
 * const port = typeof address === 'object' ? address?.port : undefined
 *
 * assert.equal(await (await fetch(`http://localhost:${port}/hello`)).text(), 'Hello')
 * assert.equal(await (await fetch(`http://localhost:${port}/old`)).text(), 'old application')
 * server.close()
 * await listener.close()
 * ```
 */
// the first signature infers options that are a union as a whole
export function nodeListener<T, R extends {}, E, const O extends NodeListenerOptions>(
  api: Servable<T, R, E>,
  options: O & ValidOptions<O, NodeListenerOptions>,
): NodeListener
export function nodeListener<T, R extends {}, E, const O extends NodeListenerOptions>(
  api: Servable<T, R, E>,
  options?: O & ValidOptions<O, NodeListenerOptions>,
): NodeListener
export function nodeListener<T, R extends {}, E>(
  api: Servable<T, R, E>,
  options: NodeListenerOptions = {},
): NodeListener {
  if (isServeDisabled()) return inertListener
  const { logger = jsonLogger(process.stdout), module, signal } = options
  const prefix = readPrefixOption(options.prefix ?? '')
  const loaded = loadSettings(listenerSources(options))
  const stopping = new AbortController()
  // each open stream may add a listener
  setMaxListeners(0, stopping.signal)
  const platform = createPlatform(loaded.settings)
  const program = compile(api, loaded.settings, {
    logger,
    stopping: stopping.signal,
    configuration: loaded,
    platform,
    isMounted: true,
  })
  const errors = [
    ...unsupportedMethods(program),
    ...(module === undefined ? missingModule(program, 'nodeListener') : []),
  ]
  if (errors.length > 0) throw new ConfigurationError(errors)

  const { settings } = loaded
  const serverLogger = program.loggerOf(Category.serverCategory)
  const connections = new MountedConnections(
    settings['fw.http.limits.min-body-rate'],
    settings['fw.http.half-close-timeout'],
  )
  const state = { isClosing: false, isClosed: false }
  let processRequest: ProcessRequest | undefined

  const start = async () => {
    const workers = await prepareProgram(program, loaded, options)
    stopping.signal.addEventListener('abort', () => workers?.notifyStopping(), { once: true })
    const core = createServerCore(
      { ...program, dispatch: workers?.dispatch },
      platform,
      state,
      createBodyMemory(settings, serverLogger),
      clientCertificates(),
    )
    core.start([], undefined)
    processRequest = requestProcessor(core, connections, prefix, () => state.isClosed)
    return { processRequest, stop: core.stop, workers }
  }
  const started = start()

  const stop = async (): Promise<void> => {
    stopping.abort()
    state.isClosing = true
    const running = await started.catch(() => undefined)
    const destroyed = await connections.drain(settings['fw.shutdown.timeout'])
    if (destroyed > 0)
      serverLogger.warn(
        { connections: destroyed },
        'fw.shutdown.timeout expired: the connections that were still open have been destroyed',
      )
    state.isClosed = true
    running?.stop()
    await running?.workers?.close()
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= stop())
  const closeOnAbort = (): void =>
    void close().catch((error: unknown) =>
      serverLogger.error({ err: error }, 'Listener failed to close'),
    )
  if (signal?.aborted === true) closeOnAbort()
  else signal?.addEventListener('abort', closeOnAbort, { once: true })

  const listen = (
    request: NodeRequest,
    response: NodeResponse,
    next?: (error?: unknown) => void,
  ): void => {
    if (!isHttp1Request(request) || !isHttp1Response(response)) {
      serverLogger.error(
        { httpVersion: request.httpVersion },
        'nodeListener requires the request and the response of a node:http or node:https server: HTTP/2 is not supported',
      )
      response.writeHead(505)
      response.end()
      return
    }
    if (next !== undefined && !isInTree(program, request, prefix)) return next()
    if (processRequest !== undefined) return processRequest(request, response)
    started.then(
      (running) => running.processRequest(request, response),
      () => response.writeHead(503).end(),
    )
  }
  return Object.assign(listen, { ready: started.then(() => undefined), close })
}

/** Returns the workers of a program once it can process requests. Rejects with a `ConfigurationError`. */
const prepareProgram = async (
  program: Program,
  loaded: LoadedSettings,
  options: NodeListenerOptions,
): Promise<WorkerPool | undefined> => {
  const uploads = receivesFiles(program)
    ? await prepareUploadsDirectory(loaded)
    : noUploadsDirectory
  const errors = [...(await loadRequirements(program)), ...uploads.errors]
  if (errors.length > 0) throw new ConfigurationError(errors)
  const { module, export: exportName = 'api' } = options
  await Promise.all([uploads.sweep(), preload(program)])
  if (module === undefined || !needsWorkers(program)) return undefined
  const { startWorkers } = await import('../workers/worker-pool.ts')
  return startWorkers(program, {
    loggerOf: program.loggerOf,
    sources: listenerSources(options),
    module,
    export: exportName,
    sweep: uploads.sweepThread,
  })
}

/** The listener in workers and in the `espalier` command. */
const inertListener: NodeListener = Object.assign(() => undefined, {
  ready: Promise.resolve(),
  close: () => Promise.resolve(),
})

/** Whether a value is a request of `node:http`. Those of `node:http2` have the major version 2. */
const isHttp1Request = (request: NodeRequest): request is IncomingMessage =>
  'httpVersionMajor' in request && request.httpVersionMajor === 1 && 'setTimeout' in request

/** Whether a value is a response of `node:http`. Those of `node:http2` are not assigned to a socket. */
const isHttp1Response = (response: NodeResponse): response is ServerResponse =>
  'assignSocket' in response
