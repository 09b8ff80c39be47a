/**
 * Sends requests to a route tree without a socket, using the types of the Fetch standard.
 *
 * @see https://fetch.spec.whatwg.org
 */
import { preloadTemporal } from '../codec/temporal/temporal-api.ts'
import type { ClientCertificate } from '../endpoint/context.ts'
import type { Servable } from '../endpoint/internal/complete-tree.ts'
import { exchangeInProcess } from '../interpreter/in-process.ts'
import { compile } from '../interpreter/program.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'
import { createPlatform } from './platform.ts'

/** Options for `inMemory`: settings by name, and additional options. Configuration files and environment variables are not read. */
export interface InMemoryOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name, available through `context.application.property` and in conditions. */
  readonly properties?: ApplicationProperties
  /** The certificate of the client, for filters such as `mutualTls`. Default: none. */
  readonly clientCertificate?: ClientCertificate
  /** The logger. By default, nothing is logged. */
  readonly logger?: Logger
}

/** Sends a request to the program. Rejects if the request is aborted or its body cannot be read. */
export type InMemoryCall = (request: Request) => Promise<Response>

/** An {@link InMemoryCall} that also accepts the arguments of `fetch` and can therefore replace `fetch`. */
export type InMemory = InMemoryCall & ((url: string | URL, init?: RequestInit) => Promise<Response>)

/**
 * Compiles a route tree and returns a function that sends requests to it without a socket.
 *
 * Throws a `ConfigurationError` that lists all errors in the tree and the settings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const double = pipe(
 *   path('/double/{n}', { n: int }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { n } }) => String(2 * n)),
 * )
 * const send = inMemory(routes({ double }), { 'fw.rest.path': '/api' })
 *
 * assert.equal(await (await send('http://localhost/api/double/21')).text(), '42')
 * assert.equal((await send('http://localhost/api/double/half')).status, 404)
 * assert.throws(() => inMemory(routes({ double, twice: double })), /FW-ROUTE-002/)
 * ```
 */
export const inMemory = <T, R extends {}, E>(
  api: Servable<T, R, E>,
  options: InMemoryOptions = {},
): InMemory => {
  const { logger, profile = 'prod', properties = {}, clientCertificate, ...settings } = options
  const sources = { profile, properties, settings, environment: {}, directory: null }
  const loaded = loadSettings(sources)
  const platform = createPlatform(loaded.settings)
  const environment = {
    configuration: loaded,
    platform,
    ...(logger === undefined ? {} : { logger }),
  }
  const run = interpret(compile(api, loaded.settings, environment))
  const ready = preloadTemporal()
  return async (input: Request | string | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init)
    if (ready !== undefined) await ready
    return exchangeInProcess(
      request,
      {
        origin: () => new URL(request.url).origin,
        prefix: () => '',
        clientAddress: () => undefined,
        clientCertificate: () => clientCertificate,
        platform,
        signal: (input instanceof Request ? undefined : init?.signal) ?? request.signal,
      },
      run,
    )
  }
}
