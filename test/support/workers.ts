/** Servers with one worker, and helpers for tests of workers. */
import { request as httpRequest } from 'node:http'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Logger, ServeOptions, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { api, blockingModule } from '../programs/blocking-api.ts'

/** The default options of these servers. */
export const options = {
  module: blockingModule,
  logger: silentLogger,
  'fw.http.port': 0,
  'fw.shutdown.grace': 0,
  'fw.worker.threads': 1,
  // other processes may delay the event loop
  'fw.http.overload.enabled': false,
} as const

export const withWorkerServer = async <A>(
  settings: ServeOptions,
  use: (server: Server) => Promise<A>,
): Promise<A> => {
  const server = await serve(api, { ...options, ...settings })
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

/** Sends a GET request and returns the status and the body. */
export const fetchText = async (
  { url }: Server,
  target: string,
): Promise<readonly [number, string]> => {
  const response = await fetch(`${url}${target}`)
  return [response.status, await response.text()]
}

export const statusOf = async (server: Server, target: string): Promise<number> =>
  (await fetchText(server, target))[0]

/** Sends a GET request without waiting for its response. Returns a function that resets the connection. */
export const startRequest = ({ url }: Server, target: string): (() => void) => {
  const sent = httpRequest(`${url}${target}`, { agent: false })
  sent.on('error', () => undefined)
  sent.end()
  // a FIN alone could be a half-close, which does not abort the request
  return () => void (sent.socket?.resetAndDestroy() ?? sent.destroy())
}

/** Creates a logger that records its lines as `level message error`. */
export const recordLog = (): { readonly lines: string[]; readonly logger: Logger } => {
  const lines: string[] = []
  const log =
    (level: string): Logger['info'] =>
    (members, message) => {
      const { err } = members
      lines.push(`${level} ${message}${err instanceof Error ? ` ${err.message}` : ''}`)
    }
  const logger = {
    trace: log('trace'),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  }
  return { lines, logger }
}

export { waitUntil } from './wait-until.ts'
