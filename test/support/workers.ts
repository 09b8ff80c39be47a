/** Servers with one worker, and what tests of workers ask them. */
import { request as httpRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Logger, ServeOptions, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { api, blockingModule } from './blocking-api.ts'

/** What every one of these servers starts with. */
export const options = {
  module: blockingModule,
  logger: silentLogger,
  'fw.http.port': 0,
  'fw.shutdown.grace': 0,
  'fw.worker.threads': 1,
} as const

export const serving = async <A>(
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

/** Status and content of a GET. */
export const ask = async ({ url }: Server, target: string): Promise<readonly [number, string]> => {
  const response = await fetch(`${url}${target}`)
  return [response.status, await response.text()]
}

export const statusOf = async (server: Server, target: string): Promise<number> =>
  (await ask(server, target))[0]

/** A request that can be given up. */
export const leaving = ({ url }: Server, target: string): (() => void) => {
  const sent = httpRequest(`${url}${target}`, { agent: false })
  sent.on('error', () => undefined)
  sent.end()
  // a FIN alone may be a half-close, after which the response is sent
  return () => void (sent.socket?.resetAndDestroy() ?? sent.destroy())
}

/** The log, kept. */
export const kept = (): { readonly lines: string[]; readonly logger: Logger } => {
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

export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 800; tries++) {
    if (await holds()) return
    await wait(25)
  }
  assert.unreachable('it never came to pass')
}
