/** Runs requests of the Fetch standard with a program. */
import type { RequestFailure } from '../http/failure.ts'
import type * as Headers from '../http/headers.ts'
import * as Problem from '../http/problem.ts'
import type { Exchange } from '../interpreter/exchange.ts'
import { encodeFailure } from '../interpreter/errors/error-response.ts'
import { toResponse } from '../interpreter/fetch-response.ts'
import { exchangeInProcess } from '../interpreter/in-process.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Platform } from '../interpreter/platform.ts'
import type { Program } from '../interpreter/program.ts'
import type { Settings } from '../compiler/settings/settings.ts'

/** The properties of a request that a `Request` does not contain. */
export interface RequestOrigin {
  /** Aborts the request. Usually, this is the signal of the `Request`. */
  readonly signal: AbortSignal
  /** The value from which the slot of the runtime is filled. */
  readonly runtimeValue: unknown
  readonly clientAddress: () => string | undefined
  /** Returns the certificate of the client. Default: the client has none. */
  readonly clientCertificate?: Exchange['clientCertificate']
}

/** Runs a request. Rejects if the request is aborted or its body cannot be read. */
export type RunRequest = (request: Request, origin: RequestOrigin) => Promise<Response>

/** Creates a function that runs requests. A request whose URL or headers exceed a limit is rejected as by a server. */
export const requestRunner = (program: Program, platform: Platform): RunRequest => {
  const run = interpret(program)
  const check = headCheck(program.settings)
  return (request, { signal, runtimeValue, clientAddress, clientCertificate }) => {
    const environment = {
      origin: () => originOf(request.url),
      prefix: noPrefix,
      clientAddress,
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
      runtimeValue,
      platform,
      signal,
    }
    const failure = check(request)
    if (failure === undefined) return exchangeInProcess(request, environment, run)
    const { method } = request
    const headers: Headers.Headers = [...request.headers].flat()
    const response = encodeFailure(failure, { method, headers }, Problem.newInstanceUri())
    return Promise.resolve(toResponse(environment, method, response, ignored))
  }
}

const noPrefix = (): string => ''

const ignored = { onEnd: () => undefined, onCancel: () => undefined }

const originOf = (url: string): string => url.slice(0, pathStart(url))

/** Returns the position of the path in an absolute URL. The `Request` constructor guarantees that the URL has a path. */
const pathStart = (url: string): number => url.indexOf('/', url.indexOf('//') + 2)

/**
 * Returns a function that checks the size of a request head. The sizes are those of an HTTP/1.1 message with the same URL and headers,
 * so that the limits are the same as those of a server.
 */
const headCheck = (
  settings: Settings,
): ((request: Pick<Request, 'method' | 'url' | 'headers'>) => RequestFailure | undefined) => {
  const maxLine = settings['fw.http.limits.max-initial-line-length']
  const maxSize = settings['fw.http.limits.max-header-size']
  const maxFields = settings['fw.http.limits.max-header-fields']
  return ({ method, url, headers }) => {
    const target = url.length - pathStart(url)
    if (method.length + target + ' HTTP/1.1 '.length > maxLine) return { _tag: 'UriTooLong' }
    let fields = 0
    let size = 0
    headers.forEach((value, name) => {
      fields++
      size += name.length + value.length + ': \r\n'.length
    })
    return fields > maxFields || size > maxSize ? { _tag: 'HeaderFieldsTooLarge' } : undefined
  }
}
