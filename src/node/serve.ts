/** Serves a route tree over HTTP. */
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Routes } from '../endpoint/routes.ts'
import * as Category from '../compiler/settings/log-category.ts'
import { compile } from '../interpreter/program.ts'
import { routeTable } from '../compiler/explain/explain.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import { MistakesError } from '../endpoint/internal/configuration-error.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { createBodyMemory } from './body-memory.ts'
import { noUploadsDirectory, prepareUploadsDirectory } from './files/uploads-directory.ts'
import { createHttpServer } from './http-server.ts'
import { jsonLines } from './json-logger.ts'
import { createPlatform } from './platform.ts'
import { preload, receivesFiles } from './preload.ts'
import { describeSettings } from './settings/describe-settings.ts'
import type { LoadOptions } from './settings/load-settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import { GracefulShutdown } from './shutdown/graceful-shutdown.ts'
import type { Signal } from './shutdown/process-shutdown.ts'
import { closeOnExit } from './shutdown/process-shutdown.ts'
import {
  loadRequirements,
  missingModule,
  needsWorkers,
  unsupportedMethods,
} from './startup-checks.ts'
import { isWorker } from './workers/is-worker.ts'

/** Options of `serve`: settings by name, which take precedence over all other sources, and options that are not settings. */
export interface ServeOptions extends SettingsInput {
  /** The configuration profile: `dev`, `test`, `prod` or a custom name. Default: `FW_PROFILE`, otherwise `prod`. */
  readonly profile?: string
  /**
   * Application properties by name, for `context.application.property` and for conditions. They take precedence over all other
   * sources.
   */
  readonly properties?: ApplicationProperties
  /** The directory of `application.properties` and `.env`. Default: the working directory. */
  readonly directory?: string
  /**
   * The URL of the module that exports the route tree, usually `import.meta.url`. Required for `blocking` operations, because their
   * workers import the module. In a worker, `serve` does nothing and returns a server without a URL.
   */
  readonly module?: string
  /** The name under which `module` exports the route tree. Default: `api`. */
  readonly export?: string
  /**
   * The logger. A logger of `pino` can be used. `fw.log.level` and `fw.log.category."NAME".level` decide which lines it receives.
   * Default: JSON lines on standard output.
   */
  readonly logger?: Logger
  /**
   * The signals at which the server closes and the process exits. Default: `SIGTERM` and `SIGINT`.
   *
   * The exit code is 0, or 1 if a connection had to be destroyed or `onClose` failed. A second signal ends the process at once.
   * After an uncaught error, the server also closes, and the process exits with 1. `false` leaves signals and uncaught errors to
   * the program.
   *
   * If the program has its own listener for the signal, it ends the process itself; `fw.shutdown.timeout` after its servers have
   * closed, the process exits. If it has its own listener for uncaught errors, the server does not react to them.
   */
  readonly signals?: boolean | ReadonlyArray<Signal>
  /**
   * Releases resources of the application, such as a pool of database connections. Called once, after the last connection has
   * closed. `close` waits for it, and rejects if it fails or takes longer than `fw.shutdown.timeout`.
   */
  readonly onClose?: () => unknown
}

/** A listening server. */
export interface Server {
  /** The base URL with the actual port. The host is `localhost` if the server listens on all addresses. */
  readonly url: string
  /** A table of the operations, one per line. */
  readonly routes: string
  /** A table of the settings with their values and origins, one per line. */
  readonly settings: string
  /** Bytes of request and response bodies in memory, limited by `fw.http.limits.max-buffered-size`. */
  readonly bufferedBytes: number
  /**
   * Shuts down the server without losing a request. Resolves when the last connection has closed. Further calls return the same
   * promise.
   *
   * During `fw.shutdown.delay`, only `context.application.stopping` is aborted. Open connections are then served for
   * `fw.shutdown.grace`, and destroyed after `fw.shutdown.timeout`.
   */
  readonly close: () => Promise<void>
}

/** The error of a server that cannot listen. `code` is the system's error code, such as `EADDRINUSE`; empty if there is none. */
export class ListenError extends Error {
  readonly code: string
  readonly host: string
  readonly port: number
  constructor(host: string, port: number, cause: Error & { readonly code?: string | undefined }) {
    super(`cannot listen on ${host}:${port}: ${cause.code ?? cause.message}`, { cause })
    this.name = 'ListenError'
    this.code = cause.code ?? ''
    this.host = host
    this.port = port
  }
}

/**
 * Compiles a route tree and starts a server. Resolves when the server listens.
 *
 * Rejects with a `MistakesError` that lists all errors of the tree and the settings, or with a {@link ListenError}.
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
export const serve = async <T, E>(
  api: Routes<T, {}, E>,
  options: ServeOptions = {},
): Promise<Server> => {
  if (isWorker()) return inertServer
  const {
    profile,
    properties = {},
    directory,
    logger = jsonLines(process.stdout),
    signals = true,
    onClose = () => undefined,
    module,
    export: exportName = 'api',
    ...given
  } = options
  const sources: LoadOptions = {
    given,
    properties,
    ...(profile === undefined ? {} : { profile }),
    ...(directory === undefined ? {} : { directory }),
  }
  const loaded = loadSettings(sources)
  const serverLogger = Category.loggersByCategory(logger, loaded.settings)(Category.serverCategory)
  const shutdown = new GracefulShutdown(loaded.settings, serverLogger, async () => {
    await workers?.close()
    await onClose()
  })
  const platform = createPlatform(loaded.settings)
  const program = compile(api, loaded.settings, {
    logger,
    stopping: shutdown.signal,
    configuration: loaded,
    platform,
  })
  const uploads = receivesFiles(program)
    ? await prepareUploadsDirectory(loaded)
    : noUploadsDirectory
  const errors = [
    ...unsupportedMethods(program),
    ...(module === undefined ? missingModule(program) : []),
    ...(await loadRequirements(program)),
    ...uploads.errors,
  ]
  if (errors.length > 0) throw new MistakesError(errors)

  const workers =
    module !== undefined && needsWorkers(program)
      ? await (
          await import('./workers/start-workers.ts')
        ).startWorkers(program, {
          loggerOf: program.loggerOf,
          sources,
          module,
          export: exportName,
          sweep: uploads.sweepThread,
        })
      : undefined
  shutdown.signal.addEventListener('abort', () => workers?.stopping(), { once: true })
  await Promise.all([uploads.sweep(), preload(program)])
  const memory = createBodyMemory(loaded.settings, serverLogger)
  const server = createHttpServer(
    { ...program, dispatch: workers?.offload },
    platform,
    () => shutdown.isClosing,
    memory,
  )
  const close = shutdown.closeFunction(server)
  const { 'fw.http.host': host, 'fw.http.port': port } = loaded.settings
  // without a host, Node.js listens on `::`, which includes IPv4, or on `0.0.0.0` if the system has no IPv6
  const isAnyAddress = loaded.origin('fw.http.host') === 'default' && host === '0.0.0.0'
  try {
    await listen(server, isAnyAddress ? { port } : { port, host })
  } catch (error) {
    void workers?.close()
    throw new ListenError(host, port, error instanceof Error ? error : new Error(String(error)))
  }
  server.on('error', (error) => serverLogger.error({ err: error }, 'Server error'))
  const unregister = closeOnExit(signals, { close, logger: serverLogger, shutdown })
  void shutdown.ended.then(unregister)
  return {
    url: urlOf(server.address(), host),
    get routes() {
      return routeTable(program)
    },
    get settings() {
      return describeSettings(loaded)
    },
    get bufferedBytes() {
      return memory.used
    },
    close,
  }
}

/** Resolves when the server listens. Rejects with the error of the system. */
const listen = (
  server: HttpServer,
  address: { readonly port: number; readonly host?: string },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** The result of `serve` in a worker that imports the module of the server. */
const inertServer: Server = {
  url: '',
  routes: '',
  settings: '',
  bufferedBytes: 0,
  close: () => Promise.resolve(),
}

const urlOf = (address: AddressInfo | string | null, host: string): string => {
  const port = typeof address === 'object' && address !== null ? address.port : ''
  const name =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
