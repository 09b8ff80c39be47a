/** Starts an HTTP server for a route tree. */
import { availableParallelism } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import type { Servable } from '../endpoint/tree/complete-tree.ts'
import * as Category from '../compiler/settings/logger.ts'
import type { ValidOptions, Settings } from '../compiler/settings/settings.ts'
import { compile } from '../interpreter/program.ts'
import { routeTable } from '../compiler/explain.ts'
import { ConfigurationError } from '../endpoint/definition/configuration-error.ts'
import { isServeDisabled } from './disable-serve.ts'
import type { Instance } from './instances/instance.ts'
import { instanceVariable } from './instances/instance-messages.ts'
import { logRequests } from './log/request-log.ts'
import { defaultLogger } from './log/text-logger.ts'
import { createHttp1Protocol } from './listener/http1-protocol.ts'
import { loadHttp2 } from './listener/http2-support.ts'
import { takeInheritedSockets } from './listener/inherited-sockets.ts'
import { openListeners, urlOf } from './listener/listen.ts'
import { isTlsConfigured, listenerIssues, planListeners } from './listener/plan-listeners.ts'
import { createServerCore } from './server-core.ts'
import { createPlatform } from './platform.ts'
import type { LoadedSettings } from './settings/load-settings.ts'
import { describeSettings, loadSettings } from './settings/load-settings.ts'
import type { ServeOptions, Server } from './serve-options.ts'
import { sourcesOf } from './serve-options.ts'
import { GracefulShutdown } from './shutdown/graceful-shutdown.ts'
import { closeOnExit } from './shutdown/process-shutdown.ts'
import {
  loadRequirements,
  missingModule,
  prepareProgram,
  prepareUploads,
  unrequestedCertificates,
  unsupportedMethods,
} from './startup-checks.ts'

/**
 * Compiles a route tree and starts a server. Resolves once the server is listening.
 *
 * Rejects with a `ConfigurationError` that lists all errors in the tree and the settings, or with a `ListenError` if the
 * server cannot start listening.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { ListenError, serve } from 'espalier/node'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const server = await serve(routes({ hello }), { 'fw.http.port': 0, 'fw.shutdown.grace': '0s' })
 * const { port } = new URL(server.url) // port 0 selects a free port
 *
 * assert.equal(await (await fetch(`${server.url}/hello`)).text(), 'Hello')
 * await assert.rejects(serve(routes({ hello }), { 'fw.http.port': port }), ListenError)
 * await server.close()
 * ```
 */
// the first signature infers options that are a union as a whole
export async function serve<T, R extends {}, E, const O extends ServeOptions>(
  api: Servable<T, R, E>,
  options: O & ValidOptions<O, ServeOptions>,
): Promise<Server>
export async function serve<T, R extends {}, E, const O extends ServeOptions>(
  api: Servable<T, R, E>,
  options?: O & ValidOptions<O, ServeOptions>,
): Promise<Server>
export async function serve<T, R extends {}, E>(
  api: Servable<T, R, E>,
  options: ServeOptions = {},
): Promise<Server> {
  if (isServeDisabled()) return inertServer
  const instance = await findInstance()
  if (instance !== undefined)
    return listenHere(api, options, { instance }).catch((error: unknown) => instance.fail(error))
  const loaded = loadSettings(sourcesOf(options))
  const parent = await serveWithInstances(loaded, options)
  return parent ?? listenHere(api, options, { loaded })
}

/** Resolves `fw.http.instances` to a number of processes. */
const instanceCount = ({ 'fw.http.instances': count }: Settings): number =>
  count === 'auto' ? availableParallelism() : count

/** Returns the instance of this process, or `undefined` if the process was not started as an instance. */
const findInstance = async (): Promise<Instance | undefined> =>
  process.env[instanceVariable] === undefined
    ? undefined
    : (await import('./instances/instance.ts')).ownInstance()

/**
 * Starts a server with several instances. Resolves to `undefined` if the settings require only one process, or if `node:cluster` has
 * started this process, which then cannot start instances.
 *
 * Rejects with the same error as the server of a process without instances.
 */
const serveWithInstances = async (
  loaded: LoadedSettings,
  options: ServeOptions,
): Promise<Server | undefined> => {
  const { settings } = loaded
  const count = instanceCount(settings)
  if (count === 1) return undefined
  const { supervise } = await import('./instances/supervisor.ts')
  return supervise(count, settings, options, () => describeSettings(loaded))
}

/** Starts a server in this process. */
const listenHere = async <T, R extends {}, E>(
  api: Servable<T, R, E>,
  options: ServeOptions,
  {
    instance,
    loaded = loadSettings(sourcesOf(options)),
  }: { readonly instance?: Instance; readonly loaded?: LoadedSettings },
): Promise<Server> => {
  const {
    logger = instance?.logger(loaded.settings) ?? defaultLogger(loaded.settings),
    signals = true,
    onClose = () => undefined,
    module,
  } = options
  const serverLogger = Category.loggersByCategory(logger, loaded.settings)(Category.serverCategory)
  const shutdown = new GracefulShutdown(
    loaded.settings,
    serverLogger,
    async () => {
      await workers?.close()
      await onClose()
    },
    instance?.queue,
  )
  const platform = createPlatform(loaded.settings)
  const program = compile(api, loaded.settings, {
    logger,
    stopping: shutdown.signal,
    configuration: loaded,
    platform,
  })
  const uploads = await prepareUploads(program, loaded)
  const inherited = takeInheritedSockets()
  const tls = isTlsConfigured(loaded)
    ? await (await import('./tls/load-tls.ts')).loadTls(loaded)
    : E.right(undefined)
  const http2 = await loadHttp2(loaded, isTlsConfigured(loaded), serverLogger)
  const isDirect = loaded.settings['fw.http.connection'] === 'direct'
  const createProtocol = isDirect
    ? (await import('./direct/direct-protocol.ts')).createDirectProtocol
    : createHttp1Protocol
  const errors = [
    ...listenerIssues(loaded, inherited),
    ...(E.isLeft(tls) ? tls.left : []),
    ...(isDirect ? [] : unsupportedMethods(program)),
    ...unrequestedCertificates(program, loaded.settings['fw.http.ssl.client-auth'], serverLogger),
    ...(module === undefined ? missingModule(program) : []),
    ...(await loadRequirements(program)),
    ...uploads.errors,
  ]
  if (errors.length > 0 || E.isLeft(tls)) throw new ConfigurationError(errors)

  const workers = await prepareProgram(program, uploads, {
    sources: sourcesOf(options),
    module,
    export: options.export,
    stopping: shutdown.signal,
  })
  const core = createServerCore(
    { ...program, dispatch: workers?.dispatch },
    platform,
    shutdown,
    tls.right?.clientCertificate,
  )
  const planned = planListeners(
    core,
    loaded,
    inherited,
    tls.right,
    http2,
    serverLogger,
    createProtocol,
  )
  const listeners = await openListeners(core, planned, serverLogger).catch((error: unknown) => {
    void workers?.close()
    throw error
  })
  const close = shutdown.closeFunction(listeners)
  const stopLog = options.logger === undefined ? logRequests(program) : undefined
  const unregister = closeOnExit(signals, { close, logger: serverLogger, shutdown })
  void shutdown.ended.then(unregister)
  void shutdown.ended.then(stopLog)
  const urls = planned.map((listener) => urlOf(listener, loaded.settings['fw.http.host']))
  const url = urls[0] ?? ''
  instance?.register({ close, logger: serverLogger, shutdown })
  if (instanceCount(loaded.settings) > 1)
    instance?.report({ url, urls, routes: routeTable(program) })
  return {
    url,
    urls,
    get routes() {
      return routeTable(program)
    },
    get settings() {
      return describeSettings(loaded)
    },
    get bufferedBytes() {
      return core.context.memory.used
    },
    instance: instance?.number ?? 0,
    restart: noInstances,
    close,
  }
}

const noInstances = (): Promise<never> =>
  Promise.reject(new Error('restart is available only in the parent process of instances'))

/** The server returned by `serve` in workers and in the `espalier` command. */
const inertServer: Server = {
  url: '',
  urls: [],
  routes: '',
  settings: '',
  bufferedBytes: 0,
  instance: 0,
  restart: noInstances,
  close: () => Promise.resolve(),
}
