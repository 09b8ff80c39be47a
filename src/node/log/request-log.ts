/** Logs requests for developers. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isSilent } from '../../compiler/settings/logger.ts'
import type { Program } from '../../interpreter/program.ts'
import { TracedRequest } from '../../interpreter/traced-request.ts'

const channel = 'tracing:espalier.request:asyncEnd'

const ignore = (): void => undefined

/**
 * Logs each request of a program, if the log is text and the filter `accessLog` does not log the requests. Returns a function that stops
 * the log.
 */
export const logRequests = ({
  settings,
  root,
  loggerOf,
}: Pick<Program, 'settings' | 'root' | 'loggerOf'>): (() => void) => {
  const { info } = loggerOf('access')
  const isLogged = root.preMatching.some(({ name }) => name === 'accessLog')
  if (settings['fw.log.format'] !== 'text' || isLogged || isSilent(info)) return ignore
  const log = (request: unknown): void => {
    if (!TracedRequest.isOf(loggerOf, request)) return
    const { id, method, path, status, duration, operation: endpoint } = request
    const message = `${method} ${path} ${status ?? '-'} ${duration.toFixed(1)} ms`
    info({ id, method, path, status, duration, endpoint }, message)
  }
  subscribe(channel, log)
  return () => {
    unsubscribe(channel, log)
  }
}
