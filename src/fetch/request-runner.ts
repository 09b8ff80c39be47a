/** Runs requests of the Fetch standard with a program. */
import type { ClientCertificate } from '../endpoint/context.ts'
import type { RequestFailure } from '../http/failure.ts'
import * as RequestTarget from '../http/request-target.ts'
import type { InProcessEnvironment, Settle } from '../interpreter/in-process.ts'
import { exchangeInProcess, rejectInProcess } from '../interpreter/in-process.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Platform } from '../interpreter/exchange.ts'
import type { Program } from '../interpreter/program.ts'
import type { Settings } from '../compiler/settings/settings.ts'

/** How requests are run. */
export interface RunnerOptions {
  /** Returns the failure of a request whose head exceeds a limit. */
  readonly check: CheckHead
  readonly clientAddress: (request: Request, runtimeValue: unknown) => string | undefined
  /** Returns the request target, as received. Default: that of the URL. */
  readonly target?: ReadTarget
  /** Returns the certificate of the client. Default: the client has none. */
  readonly clientCertificate?: () => ClientCertificate | undefined
}

/** Runs a request. The slot of the runtime is filled from `runtimeValue`. The default `signal` is that of the request. */
export type RunRequest = (
  request: Request,
  runtimeValue: unknown,
  signal: AbortSignal | undefined,
  settle: Settle,
) => void

export type ReadTarget = (request: Request, runtimeValue: unknown) => string

export type CheckHead = (request: Request) => RequestFailure | undefined

/** Creates a function that runs requests. Requests for which `check` returns a failure are rejected as by a server. */
export const requestRunner = (
  program: Program,
  platform: Platform,
  options: RunnerOptions,
): RunRequest => {
  const run = interpret(program)
  const { target: readTarget = targetOfUrl, clientAddress, clientCertificate } = options
  const grammar = RequestTarget.grammarOf(program.settings['fw.http.strict-target'])
  return (request, runtimeValue, signal, settle) => {
    const environment: InProcessEnvironment = {
      target: readTarget(request, runtimeValue),
      runtimeValue,
      platform,
      grammar,
      rejectionHeaders: program.rejectionHeaders,
      signal: () => signal ?? request.signal,
      origin: () => request.url.slice(0, RequestTarget.pathStart(request.url)),
      prefix: () => '',
      clientAddress: () => clientAddress(request, runtimeValue),
      clientCertificate: () => clientCertificate?.(),
    }
    const failure = options.check(request)
    if (failure === undefined) exchangeInProcess(request, environment, run, settle)
    else settle.resolve(rejectInProcess(request, environment, failure))
  }
}

const targetOfUrl: ReadTarget = ({ url }) => RequestTarget.targetOf(url)

/**
 * Returns a function that checks the size of the request line. The size is that of an HTTP/1.1 message with the same URL, so that the
 * limit is the same as that of a server.
 */
export const lineCheck = (settings: Settings): CheckHead => {
  const maxLine = settings['fw.http.limits.max-initial-line-length']
  return ({ method, url }) => {
    const length = method.length + url.length + ' HTTP/1.1 '.length
    return length > maxLine && length - RequestTarget.pathStart(url) > maxLine
      ? { _tag: 'UriTooLong' }
      : undefined
  }
}

/** Returns a function that also checks the size and the number of the headers, as {@link lineCheck} checks the request line. */
export const headCheck = (settings: Settings): CheckHead => {
  const checkLine = lineCheck(settings)
  const maxSize = settings['fw.http.limits.max-header-size']
  const maxFields = settings['fw.http.limits.max-header-fields']
  return (request) => {
    let fields = 0
    let size = 0
    request.headers.forEach((value, name) => {
      fields++
      size += name.length + value.length + ': \r\n'.length
    })
    const failure = checkLine(request)
    return failure === undefined && (fields > maxFields || size > maxSize)
      ? { _tag: 'HeaderFieldsTooLarge' }
      : failure
  }
}
