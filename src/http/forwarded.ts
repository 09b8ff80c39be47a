/**
 * Parses the `Forwarded` header, in which each proxy describes the request it received. The caller decides which proxies to
 * trust.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as IpAddress from './ip-address.ts'

/** The parameters added by one proxy, with unquoted values. Missing parameters are `undefined`. */
export interface ForwardedElement {
  /** The node that sent the request to the proxy. See {@link addressOf}. */
  readonly for: string | undefined
  /** The interface on which the proxy received the request, as a node identifier. */
  readonly by: string | undefined
  /** The `Host` header received by the proxy. */
  readonly host: string | undefined
  /** The URI scheme of the request received by the proxy. */
  readonly proto: string | undefined
}

/**
 * Parses a `Forwarded` header. The last element was added by the proxy nearest to the server. Skips empty members. A malformed
 * member results in an element without values, because the member might still represent a proxy.
 *
 * ```text
 * Forwarded         = 1#forwarded-element
 * forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )      each name once
 * forwarded-pair    = token "=" ( token / quoted-string )
 * ```
 *
 * Whitespace around semicolons is also accepted, because some proxies send it.
 */
export const parse = (text: string): ReadonlyArray<ForwardedElement> =>
  Grammar.splitList(text).map((member) => {
    const parameters = Grammar.parseParameters(`;${member}`)
    return O.isNone(parameters) ? emptyElement : elementOf(parameters.value)
  })

const emptyElement: ForwardedElement = {
  for: undefined,
  by: undefined,
  host: undefined,
  proto: undefined,
}

const elementOf = (parameters: ReadonlyArray<Grammar.HeaderParameter>): ForwardedElement => {
  const values = new Map(parameters)
  const hasDuplicates = values.size < parameters.length
  return hasDuplicates
    ? emptyElement
    : {
        for: values.get('for'),
        by: values.get('by'),
        host: values.get('host'),
        proto: values.get('proto'),
      }
}

/**
 * Returns the IP address in a node identifier, without brackets or port. Returns `undefined` if the node is `unknown`, obfuscated
 * or malformed.
 *
 * ```text
 * node      = nodename [ ":" node-port ]
 * nodename  = IPv4address / "[" IPv6address "]" / "unknown" / obfnode
 * node-port = 1*5DIGIT / obfport
 * obfnode   = "_" 1*( ALPHA / DIGIT / "." / "_" / "-" )      obfport has the same form
 * ```
 *
 * An IPv6 address without brackets is also accepted, as in `X-Forwarded-For`.
 */
export const addressOf = (node: string): string | undefined => {
  const [, ipv6, ipv4] = nodePattern.exec(node) ?? []
  if (ipv6 !== undefined) return IpAddress.family(ipv6) === 'ipv6' ? ipv6 : undefined
  if (ipv4 !== undefined) return IpAddress.family(ipv4) === 'ipv4' ? ipv4 : undefined
  return IpAddress.family(node) === 'ipv6' ? node : undefined
}

const nodePattern = /^(?:\[([\dA-Fa-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/
