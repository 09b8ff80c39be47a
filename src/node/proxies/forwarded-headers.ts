/** What the fields of a request tell of the proxies that it has passed. Nothing is believed or checked here. */
import * as Forwarded from '../../http/forwarded.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'

/** What a proxy tells of the request that it has passed on. */
export interface ProxyHop {
  readonly for: string | undefined
  readonly proto: string | undefined
  readonly host: string | undefined
  readonly port: string | undefined
  readonly prefix: string | undefined
}

/** What `Forwarded` tells, the nearest proxy first. Each line by itself: a quotation that stays open there takes in no other. */
export const parseForwarded = (headers: Headers.Headers): ReadonlyArray<ProxyHop> =>
  Headers.all(headers, 'forwarded')
    .flatMap(Forwarded.parse)
    .map((element) => ({ ...element, port: undefined, prefix: undefined }))
    .toReversed()

/**
 * What the fields tell that were customary before, `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and `-Prefix`, the nearest
 * proxy first: lists to which each proxy adds at the end, or which it writes anew, so that some are shorter than others.
 */
export const parseXForwarded = (headers: Headers.Headers): ReadonlyArray<ProxyHop> => {
  const clients = list(headers, 'x-forwarded-for')
  const protos = list(headers, 'x-forwarded-proto')
  const hosts = list(headers, 'x-forwarded-host')
  const ports = list(headers, 'x-forwarded-port')
  const prefixes = list(headers, 'x-forwarded-prefix')
  const length = Math.max(...[clients, protos, hosts, ports, prefixes].map((one) => one.length))
  return Array.from({ length }, (_, at) => ({
    for: clients[at],
    proto: protos[at],
    host: hosts[at],
    port: ports[at],
    prefix: prefixes[at],
  }))
}

/** These fields know no quotations. */
const list = (headers: Headers.Headers, name: string): ReadonlyArray<string> =>
  Headers.all(headers, name)
    .flatMap((value) => value.split(','))
    .map(Grammar.trim)
    .filter((member) => member !== '')
    .toReversed()
