/**
 * The part of a server that does not depend on the protocol of its connections: limits, timeouts, load shedding, and the processing
 * of received requests. All listeners of a server share it.
 */
import * as RequestTarget from '../http/request-target.ts'
import { hostCheck } from '../compiler/settings/hosts.ts'
import * as Category from '../compiler/settings/logger.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import { encodeRejection } from '../interpreter/errors/error-response.ts'
import { interpret } from '../interpreter/pipeline.ts'
import type { Platform } from '../interpreter/exchange.ts'
import type { Program } from '../interpreter/program.ts'
import { createBodyMemory } from './body-memory.ts'
import { Connections, resolveMaxConnections } from './connection/connections.ts'
import { monitorConnections } from './connection/slow-connections.ts'
import { EventLoopMonitor } from './event-loop-monitor.ts'
import type { Receive, ServerContext, ShutdownState } from './exchange/received-exchange.ts'
import type { HeadLimits } from './exchange/request-head.ts'
import { createLoadShedding } from './load-shedding/load-shedding.ts'
import { trustedProxies } from './proxies/trusted-proxies.ts'

/** The part of a server that all its listeners share. */
export interface ServerCore {
  readonly settings: Settings
  readonly context: ServerContext
  readonly connections: Connections
  readonly headLimits: HeadLimits
  readonly receive: Receive
  /** Whether requests to an origin, such as `http://example.com:8080`, are allowed. `undefined` if all of them are. */
  readonly isAllowedHost: ((origin: string) => boolean) | undefined
  /**
   * Starts the timers. Called when all listeners are listening. `ports` are their TCP ports, and `checkInterval` is the shortest
   * interval of the connection checks of their protocols.
   */
  readonly start: (ports: ReadonlyArray<number>, checkInterval: number | undefined) => void
  /** Records an accepted connection for load shedding. */
  readonly onConnection: () => void
  /** Stops the timers. Called when no listener is listening, and all connections have closed. */
  readonly stop: () => void
}

/** Creates the shared part of a server for a program. */
export const createServerCore = (
  program: Program,
  platform: Platform,
  shutdown: ShutdownState,
  clientCertificate: ServerContext['clientCertificate'],
): ServerCore => {
  const { settings } = program
  const logger = program.loggerOf(Category.serverCategory)
  const loadShedding = createLoadShedding(settings, logger)
  const run = interpret(
    loadShedding === undefined
      ? program
      : { ...program, isOverloaded: () => loadShedding.isOverloaded() },
  )
  const keepAlive = settings['fw.http.keep-alive-timeout']
  const loopMonitor = settings['fw.loop.stall'] > 0 ? new EventLoopMonitor(program) : undefined
  const isAllowedHost = hostCheck(settings['fw.http.allowed-hosts'])
  const connections = new Connections(
    resolveMaxConnections(settings['fw.http.limits.max-connections']),
  )
  const monitor = monitorConnections(connections, {
    idle: settings['fw.http.idle-timeout'],
    keepAlive,
    write: settings['fw.http.write-timeout'],
  })
  return {
    settings,
    context: {
      shutdown,
      maxDiscardedBytes: settings['fw.http.limits.max-body-size'],
      // the header that Node.js would send if it closed idle connections itself
      keepAliveHeaders:
        keepAlive === 0 ? [] : ['Keep-Alive', `timeout=${Math.floor(keepAlive / 1000)}`],
      proxies: trustedProxies(settings['fw.http.proxy.trusted']),
      clientCertificate,
      platform,
      rejectionHeaders: program.rejectionHeaders,
      memory: createBodyMemory(settings, logger),
      loopMonitor,
    },
    connections,
    headLimits: {
      headers: settings['fw.http.limits.max-header-fields'],
      size: settings['fw.http.limits.max-header-size'],
      line: settings['fw.http.limits.max-initial-line-length'],
      target: RequestTarget.grammarOf(settings['fw.http.strict-target']),
    },
    receive: (exchange, target) => {
      switch (target._tag) {
        case 'Resource':
          loopMonitor?.check()
          run(exchange)
          if (loopMonitor !== undefined && !exchange.hasResponded) loopMonitor.record(exchange)
          return
        case 'Asterisk':
          // `OPTIONS *` applies to the server, not to a resource (RFC 9110, 9.3.7)
          return exchange.send(
            isAllowedHost?.(exchange.origin()) === false
              ? encodeRejection({ _tag: 'MisdirectedRequest' }, exchange, program.rejectionHeaders)
              : { status: 204, headers: [], body: undefined },
          )
        default:
          return exchange.reject(target)
      }
    },
    isAllowedHost,
    start: (ports, checkInterval) => {
      monitor.start(checkInterval)
      loadShedding?.start(ports)
      loopMonitor?.start()
    },
    onConnection: () => loadShedding?.onConnection(),
    stop: () => {
      monitor.stop()
      loadShedding?.stop()
      loopMonitor?.stop()
    },
  }
}
