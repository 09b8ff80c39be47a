/** Mounts a route tree into an existing server, such as an Express application. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setMaxListeners } from 'node:events'
import type { Servable } from '../../endpoint/tree/complete-tree.ts'
import { ConfigurationError } from '../../endpoint/definition/configuration-error.ts'
import type { ValidOptions, SettingsInput } from '../../compiler/settings/settings.ts'
import * as Category from '../../compiler/settings/logger.ts'
import { compile } from '../../interpreter/program.ts'
import { isServeDisabled } from '../disable-serve.ts'
import { logRequests } from '../log/request-log.ts'
import { defaultLogger } from '../log/text-logger.ts'
import { createServerCore } from '../server-core.ts'
import type { NodeRequest, NodeResponse } from '../node-request.ts'
import { createPlatform } from '../platform.ts'
import { sourcesOf } from '../serve-options.ts'
import type { LoadOptions } from '../settings/load-settings.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { clientCertificates } from '../tls/client-certificate.ts'
import {
  loadRequirements,
  missingModule,
  prepareProgram,
  prepareUploads,
  unsupportedMethods,
} from '../startup-checks.ts'
import { MountedConnections } from './mounted-connections.ts'
import type { ProcessRequest } from './mounted-tree.ts'
import { isInTree, readPrefixOption, requestProcessor } from './mounted-tree.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { ApplicationProperties } from '../settings/setting-source.ts'

/**
 * Options for `nodeListener`: settings by name, and additional options. Configuration files and environment variables are read only
 * if `directory` is set.
 */
export interface NodeListenerOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`, or the value of `FW_PROFILE` if `directory` is set. */
  readonly profile?: string
  /** Application properties by name, available through `context.application.property` and in conditions. */
  readonly properties?: ApplicationProperties
  /**
   * If set, settings are also read from `application.properties` and `.env` in this directory and from environment variables, as
   * `serve` does. Default: nothing is read.
   */
  readonly directory?: string
  /**
   * The path below which the tree is mounted, such as `/v2`. The listener removes it from the path of a request, and adds it to
   * links and `Location` headers. Paths that are not below it match nothing.
   *
   * Not needed if the framework removes the path itself and stores it in `request.baseUrl` or `request.originalUrl`, as Express,
   * Connect and NestJS do. Default: none.
   */
  readonly prefix?: string
  /** Closes the listener when it aborts. */
  readonly signal?: AbortSignal
  /**
   * The URL of the module that exports the route tree. Required if the tree contains `blocking` operations, because their workers
   * import this module. Unlike with `serve`, it must not be a module that starts a server, because each worker would start it again.
   */
  readonly module?: string
  /** The name under which the module exports the route tree. Default: `api`. */
  readonly export?: string
  /** The logger. Default: a logger that writes to standard output in the format of the setting `fw.log.format`. */
  readonly logger?: Logger
}

/** Returns the sources of settings in the options of `nodeListener`. */
const listenerSources = ({
  prefix: _prefix,
  signal: _signal,
  ...options
}: NodeListenerOptions): LoadOptions => {
  const sources = sourcesOf(options)
  return options.directory === undefined
    ? { profile: 'prod', ...sources, environment: {}, directory: null }
    : sources
}

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
  const { module, signal } = options
  const prefix = readPrefixOption(options.prefix ?? '')
  const loaded = loadSettings(listenerSources(options))
  const { logger = defaultLogger(loaded.settings) } = options
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
    const uploads = await prepareUploads(program, loaded)
    const issues = [...(await loadRequirements(program)), ...uploads.errors]
    if (issues.length > 0) throw new ConfigurationError(issues)
    const workers = await prepareProgram(program, uploads, {
      sources: listenerSources(options),
      module,
      export: options.export,
      stopping: stopping.signal,
    })
    const core = createServerCore(
      { ...program, dispatch: workers?.dispatch },
      platform,
      state,
      clientCertificates(),
    )
    core.start([], undefined)
    const stopLog = options.logger === undefined ? logRequests(program) : undefined
    processRequest = requestProcessor(core, connections, prefix, () => state.isClosed)
    return { processRequest, stop: core.stop, stopLog, workers }
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
    running?.stopLog?.()
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
