/**
 * Sends requests to a route tree without a socket, using the types of the Fetch standard.
 *
 * @see https://fetch.spec.whatwg.org
 */
import { preloadTemporal } from '../codec/temporal/temporal-api.ts'
import type { ClientCertificate } from '../endpoint/context.ts'
import type { Servable } from '../endpoint/tree/complete-tree.ts'
import type { ProgramOptions } from '../fetch/program-settings.ts'
import { programSettings } from '../fetch/program-settings.ts'
import { headCheck, requestRunner } from '../fetch/request-runner.ts'
import type { ValidOptions } from '../compiler/settings/settings.ts'
import { compile } from '../interpreter/program.ts'
import { createPlatform } from './platform.ts'
import { isRequest } from '../http/platform-value.ts'

/** Options for `inMemory`: settings by name, and additional options. Configuration files and environment variables are not read. */
export interface InMemoryOptions extends ProgramOptions {
  /** The certificate of the client, for filters such as `mutualTls`. Default: none. */
  readonly clientCertificate?: ClientCertificate
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
// the first signature infers options that are a union as a whole
export function inMemory<T, R extends {}, E, const O extends InMemoryOptions>(
  api: Servable<T, R, E>,
  options: O & ValidOptions<O, InMemoryOptions>,
): InMemory
export function inMemory<T, R extends {}, E, const O extends InMemoryOptions>(
  api: Servable<T, R, E>,
  options?: O & ValidOptions<O, InMemoryOptions>,
): InMemory
export function inMemory<T, R extends {}, E>(
  api: Servable<T, R, E>,
  options: InMemoryOptions = {},
): InMemory {
  const { clientCertificate, ...programOptions } = options
  const { logger } = programOptions
  const configuration = programSettings(programOptions)
  const { settings } = configuration
  const platform = createPlatform(settings)
  const program = compile(api, settings, {
    configuration,
    platform,
    ...(logger === undefined ? {} : { logger }),
  })
  const run = requestRunner(program, platform, {
    check: headCheck(settings),
    clientAddress: () => undefined,
    clientCertificate: () => clientCertificate,
  })
  const ready = preloadTemporal()
  return async (input: Request | string | URL, init?: RequestInit) => {
    const request = isRequest(input) ? input : new Request(input, init)
    if (ready !== undefined) await ready
    const signal = (isRequest(input) ? undefined : init?.signal) ?? request.signal
    signal.throwIfAborted()
    return new Promise<Response>((resolve, reject) =>
      run(request, undefined, signal, { resolve, reject }),
    )
  }
}
