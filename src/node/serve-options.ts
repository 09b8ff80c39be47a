/** The options of `serve`, the configuration that they select, and the server that it returns. */
import type { Logger } from '../compiler/settings/logger.ts'
import type { Configuration } from '../compiler/settings/resolve-expressions.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import type { LoadOptions } from './settings/load-settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import type { Signal } from './shutdown/process-shutdown.ts'

/** Options for `serve`: settings by name, and additional options. Settings passed here take precedence over all other sources. */
export interface ServeOptions extends SettingsInput {
  /** Not an option: the port is the setting `fw.http.port`. */
  readonly port?: "use 'fw.http.port'"
  /** Rejects a callback. This member exists only at compile time. */
  readonly [Symbol.hasInstance]?: 'await serve(…) instead of passing a callback'
  /**
   * The configuration profile: `dev`, `test`, `prod` or a custom name. Default: the value of `FW_PROFILE`, or `prod` if this
   * variable is not set.
   */
  readonly profile?: string
  /**
   * Application properties by name, available through `context.application.property` and in conditions. They override properties
   * from all other sources.
   */
  readonly properties?: ApplicationProperties
  /** The directory that contains `application.properties` and `.env`. Default: the working directory. */
  readonly directory?: string
  /**
   * The number of processes that serve requests, or `auto` for the number of available processors. Default: the setting
   * `fw.http.instances`, which is 1.
   *
   * If the number is greater than 1, this process becomes the parent of the instances. Each instance runs the program of this process
   * from its beginning, and serves requests when it calls `serve`. Code before and after this call runs in every process:
   * `Server.instance` identifies the process.
   */
  readonly instances?: number | 'auto'
  /**
   * The URL of the module that exports the route tree, typically `import.meta.url`. Required if the route tree contains `blocking`
   * operations, because their workers import this module. In a worker, `serve` starts no server and returns a `Server` with an
   * empty `url`.
   */
  readonly module?: string
  /** The name under which the module exports the route tree. Default: `api`. */
  readonly export?: string
  /**
   * The logger, for example a `pino` logger. The `fw.log.level` and `fw.log.category."NAME".level` settings determine which events
   * the logger receives. Default: a logger that writes to standard output in the format of the setting `fw.log.format`.
   */
  readonly logger?: Logger
  /**
   * The signals that close the server and then end the process. Default: `SIGTERM` and `SIGINT`. `false` disables the handling of
   * signals and uncaught errors.
   *
   * The exit code is 0, or 1 if connections had to be destroyed or `onClose` failed. A second signal ends the process immediately.
   * An uncaught error also closes the server, and the process then exits with code 1.
   *
   * A program that has its own listener for a signal must end the process itself. If it does not, the process exits once
   * `fw.shutdown.timeout` has elapsed after its servers have closed. If the program has its own `uncaughtException` listener, the
   * server does not handle uncaught errors.
   */
  readonly signals?: boolean | ReadonlyArray<Signal>
  /**
   * Releases application resources, such as a database connection pool. Called once, after the last connection has closed.
   *
   * `close` waits for the returned promise to settle. `close` rejects if the promise rejects or does not settle within
   * `fw.shutdown.timeout`.
   */
  readonly onClose?: () => unknown
}

/** A listening server. */
export interface Server {
  /**
   * The base URL, including the actual port. The host is `localhost` if the server is listening on all addresses. With several
   * listeners, the first element of `urls`.
   */
  readonly url: string
  /**
   * The base URLs of all listeners: those with TLS come first, then those without. A Unix domain socket is `unix:` followed by its
   * path.
   */
  readonly urls: ReadonlyArray<string>
  /** A table of the operations, with one line per operation. */
  readonly routes: string
  /** A table of the settings with their values and origins, with one line per setting. */
  readonly settings: string
  /**
   * Number of bytes of memory that request and response bodies occupy or have reserved. The setting
   * `fw.http.limits.max-buffered-size` limits this number.
   */
  readonly bufferedBytes: number
  /**
   * The number of this instance, from 1 to the number of instances. A replacement has the same number. `0` in the parent process of
   * instances, and in a process without instances.
   */
  readonly instance: number
  /**
   * Replaces the instances one by one, like the signal `SIGHUP`. Each new instance must listen before an old one is shut down. Resolves
   * when all instances have been replaced.
   *
   * Rejects if a new instance cannot start, with the error that it reports. The old instances then continue to serve requests. Also
   * rejects in an instance, and in a process without instances.
   */
  readonly restart: () => Promise<void>
  /**
   * Shuts down the server without dropping requests. Resolves when the last connection has closed and `onClose` has finished.
   * Further calls return the same promise.
   *
   * During `fw.shutdown.delay`, requests are still served normally, but the signal `context.application.stopping` is aborted. Open
   * connections are then served for `fw.shutdown.grace`. Connections that are still busy after a further `fw.shutdown.timeout` are
   * destroyed.
   *
   * In the parent process of instances, shuts down all instances. In an instance, shuts down only this instance.
   */
  readonly close: () => Promise<void>
}

/**
 * Loads settings and application properties from the same sources as `serve`, for example, to open a database connection
 * before the server starts. Pass the options that are passed to `serve`. Options other than settings, `profile`, `properties` and
 * `directory` are ignored.
 *
 * `property(name)` returns the value of an application property, a setting or an environment variable as a string, or
 * `undefined` if it is not set, like `context.application.property`. Throws a `ConfigurationError` that lists every error found.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { loadConfiguration } from 'espalier/node'
 *
 * const options = {
 *   profile: 'test',
 *   properties: { 'library.database': 'postgres://${library.host:localhost}/library' },
 * }
 * const { profile, property } = loadConfiguration(options)
 *
 * assert.equal(profile, 'test')
 * assert.equal(property('library.database'), 'postgres://localhost/library')
 * assert.equal(property('library.pool'), undefined)
 * assert.throws(() => loadConfiguration({ 'fw.http.port': '80000' }), /fw.http.port/)
 * ```
 */
export const loadConfiguration = (options: ServeOptions = {}): Configuration => {
  const { profile, property } = loadSettings(sourcesOf(options))
  return { profile, property }
}

/** Returns the sources of settings in the options of `serve`. */
export const sourcesOf = ({
  profile,
  properties = {},
  directory,
  logger: _logger,
  signals: _signals,
  onClose: _onClose,
  module: _module,
  export: _export,
  instances,
  ...settings
}: ServeOptions): LoadOptions => ({
  settings: instances === undefined ? settings : { ...settings, 'fw.http.instances': instances },
  properties,
  ...(profile === undefined ? {} : { profile }),
  ...(directory === undefined ? {} : { directory }),
})
