/** Serves a tree. */
import type { AddressInfo } from 'node:net'
import type { Routes } from '../endpoint/routes.ts'
import * as Category from '../compiler/settings/log-category.ts'
import { compile } from '../interpreter/program.ts'
import { table } from '../compiler/explain/explain.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import { MistakesError } from '../endpoint/internal/configuration-error.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { createBodyMemory } from './body-memory.ts'
import { closeOnExit } from './shutdown/process-shutdown.ts'
import { jsonLines } from './json-logger.ts'
import { preload } from './preload.ts'
import { loadRequirements } from './startup-checks.ts'
import { receivesFiles } from './files/receives-files.ts'
import { httpServer, unreachable } from './http-server.ts'
import { describeSettings } from './settings/describe-settings.ts'
import type { LoadOptions } from './settings/load-settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import type { Signal } from './shutdown/signal.ts'
import { GracefulShutdown } from './shutdown/stopping.ts'
import { prepareUploadsDirectory, noUploadsDirectory } from './files/uploads-directory.ts'
import { createPlatform } from './platform.ts'
import { isWorker } from './workers/is-worker.ts'
import { needsWorkers, withoutModule } from './workers/required.ts'

/** Settings under their own names, which win over all other sources, and what is not a setting. */
export interface ServeOptions extends SettingsInput {
  /** `dev`, `test`, `prod` or a name of one's own; otherwise `FW_PROFILE`, otherwise `prod`. */
  readonly profile?: string
  /** Properties of the application, by name, which win over all other sources: for `context.application.property`, and for conditions. */
  readonly properties?: ApplicationProperties
  /** Where `application.properties` and `.env` lie; the working directory by default. */
  readonly directory?: string
  /**
   * The URL of the module that exports the tree, for the workers of `blocking` operations, which import it for themselves:
   * `import.meta.url` for this one. In a worker, `serve` itself does nothing, and its server has no address.
   */
  readonly module?: string
  /** The name under which that module exports the tree; `api` by default. */
  readonly export?: string
  /**
   * Where the log goes: standard output as JSON lines by default. A logger of `pino` fits. What it gets is decided by
   * `fw.log.level` and `fw.log.category."NAME".level`.
   */
  readonly logger?: Logger
  /**
   * The signals at which the server closes and the process ends: with 0, or with 1 when a connection had to be cut or
   * `onClose` failed. A second signal ends it at once. `SIGTERM` and `SIGINT` by default; `false` leaves signals to the
   * program, and with them errors that nobody catches, after which the server closes too and the process ends with 1.
   *
   * A program that listens to such a signal too has `fw.shutdown.timeout`, from when its servers have closed, to end itself;
   * one that listens to uncaught errors decides alone. Once the server has closed, the process does not listen any more.
   */
  readonly signals?: boolean | ReadonlyArray<Signal>
  /**
   * Gives back what the application owns, such as a pool of database connections. It is called once, when the last
   * connection is closed, and has `fw.shutdown.timeout`; `close` waits for it, and rejects when it fails or is late.
   */
  readonly onClose?: () => unknown
}

export interface Server {
  /** With the port that is really listened to, and `localhost` when every address is. */
  readonly url: string
  /** Operations, a line for each. */
  readonly routes: string
  /** Settings with their origins, a line for each. */
  readonly settings: string
  /** Bytes of request and response bodies in memory, which `fw.http.limits.max-buffered-size` bounds. */
  readonly bufferedBytes: number
  /**
   * Stops without losing a request, and resolves when the last connection is closed. For `fw.shutdown.delay`, only
   * `context.application.stopping` tells of it; `fw.shutdown.grace` says how long open connections are served from then on,
   * `fw.shutdown.timeout` when what is left is cut. Said twice, it is the same stop.
   */
  readonly close: () => Promise<void>
}

/**
 * The server cannot listen where it should: `code` is that of the system, `EADDRINUSE` for a port that is taken, and empty
 * when there is none.
 */
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
 * Compiles the tree, listens, and resolves when requests can come. Rejects with a `MistakesError` that lists everything that
 * is wrong with the tree or the settings, or with a {@link ListenError}.
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
 * const { port } = new URL(server.url) // any that was free
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
  if (isWorker()) return inert
  const {
    profile,
    properties = {},
    directory,
    logger = jsonLines(process.stdout),
    signals = true,
    onClose = () => undefined,
    module,
    export: name = 'api',
    ...rest
  } = options
  const sources: LoadOptions = {
    given: rest,
    properties,
    ...(profile === undefined ? {} : { profile }),
    ...(directory === undefined ? {} : { directory }),
  }
  const loaded = loadSettings(sources)
  const log = Category.loggers(logger, loaded.settings)(Category.server)
  const stopping = new GracefulShutdown(loaded.settings, log, async () => {
    await workers?.close()
    await onClose()
  })
  const system = createPlatform(loaded.settings)
  const program = compile(api, loaded.settings, {
    logger,
    stopping: stopping.signal,
    configuration: loaded,
    system,
  })
  const uploads = receivesFiles(program)
    ? await prepareUploadsDirectory(loaded)
    : noUploadsDirectory
  const mistakes = [
    ...unreachable(program),
    ...(module === undefined ? withoutModule(program) : []),
    ...(await loadRequirements(program)),
    ...uploads.errors,
  ]
  if (mistakes.length > 0) throw new MistakesError(mistakes)

  const workers =
    module !== undefined && needsWorkers(program)
      ? await (
          await import('./workers/start-workers.ts')
        ).startWorkers(program, {
          loggerOf: program.loggerOf,
          sources,
          module,
          export: name,
          sweep: uploads.sweepThread,
        })
      : undefined
  stopping.signal.addEventListener('abort', () => workers?.stopping(), { once: true })
  await Promise.all([uploads.sweep(), preload(program)])
  const memory = createBodyMemory(loaded.settings, log)
  const server = httpServer(
    { ...program, offload: workers?.offload },
    system,
    () => stopping.isClosing,
    memory,
  )
  const close = stopping.closeFunction(server)
  const { 'fw.http.host': host, 'fw.http.port': port } = loaded.settings
  await new Promise<void>((resolve, reject) => {
    const refused = (error: Error): void => {
      void workers?.close()
      reject(new ListenError(host, port, error))
    }
    server.once('error', refused)
    // without a host, Node listens on `::`, which includes IPv4, or on `0.0.0.0` where the system has no IPv6
    const isAnywhere = loaded.origin('fw.http.host') === 'default' && host === '0.0.0.0'
    server.listen(isAnywhere ? { port } : { port, host }, () => {
      server.off('error', refused)
      server.on('error', (error) => log.error({ err: error }, 'The server failed.'))
      resolve()
    })
  })
  const forget = closeOnExit(signals, { close, logger: log, shutdown: stopping })
  void stopping.ended.then(forget)
  return {
    url: urlOf(server.address(), host),
    get routes() {
      return table(program)
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

/** What a worker gets when it imports the module that serves. */
const inert: Server = {
  url: '',
  routes: '',
  settings: '',
  bufferedBytes: 0,
  close: () => Promise.resolve(),
}

/** Every address is reached by `localhost` too. */
const urlOf = (address: AddressInfo | string | null, host: string): string => {
  const port = typeof address === 'object' && address !== null ? address.port : ''
  const name =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
