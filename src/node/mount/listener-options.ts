/** The options of `nodeListener`, and the configuration that they select. */
import type { Logger } from '../../compiler/settings/logger.ts'
import type { SettingsInput } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'
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
  /** The logger. Default: a logger that writes JSON lines to standard output. */
  readonly logger?: Logger
}

/** Returns the sources of settings in the options of `nodeListener`. */
export const listenerSources = ({
  profile,
  properties = {},
  directory,
  prefix: _prefix,
  signal: _signal,
  module: _module,
  export: _export,
  logger: _logger,
  ...settings
}: NodeListenerOptions): LoadOptions =>
  directory === undefined
    ? { profile: profile ?? 'prod', properties, settings, environment: {}, directory: null }
    : { properties, settings, directory, ...(profile === undefined ? {} : { profile }) }
