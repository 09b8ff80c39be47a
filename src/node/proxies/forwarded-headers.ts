/** Reads the headers that proxies add to requests. Nothing is validated, and no proxy is trusted here. */
import * as Forwarded from '../../http/forwarded.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'

/** The values that one proxy has added. */
export interface ProxyHop {
  readonly for: string | undefined
  readonly proto: string | undefined
  readonly host: string | undefined
  readonly port: string | undefined
  readonly prefix: string | undefined
}

/** Parses `Forwarded` headers, the nearest proxy first. Each header is parsed separately, so that an open quote ends with it. */
export const parseForwarded = (headers: Headers.Headers): ReadonlyArray<ProxyHop> =>
  Headers.all(headers, 'forwarded')
    .flatMap(Forwarded.parse)
    .map((element) => ({ ...element, port: undefined, prefix: undefined }))
    .toReversed()

/**
 * Parses `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and `-Prefix`, the nearest proxy first.
 *
 * Some proxies append to these lists, others replace them, so the lists may have different lengths.
 */
export const parseXForwarded = (headers: Headers.Headers): ReadonlyArray<ProxyHop> => {
  const clients = parseList(headers, 'x-forwarded-for')
  const protos = parseList(headers, 'x-forwarded-proto')
  const hosts = parseList(headers, 'x-forwarded-host')
  const ports = parseList(headers, 'x-forwarded-port')
  const prefixes = parseList(headers, 'x-forwarded-prefix')
  const length = Math.max(...[clients, protos, hosts, ports, prefixes].map((list) => list.length))
  return Array.from({ length }, (_, index) => ({
    for: clients[index],
    proto: protos[index],
    host: hosts[index],
    port: ports[index],
    prefix: prefixes[index],
  }))
}

/** Parses a comma-separated list in reverse order. These headers have no quoted strings. */
const parseList = (headers: Headers.Headers, name: string): ReadonlyArray<string> =>
  Headers.all(headers, name)
    .flatMap((value) => value.split(','))
    .map(Grammar.trim)
    .filter((member) => member !== '')
    .toReversed()
