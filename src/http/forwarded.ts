/**
 * The Forwarded field: what proxies tell of the request that they have passed on. Whom of them to believe is not decided here.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as IpAddress from './ip-address.ts'

/** What one proxy tells, unquoted; `undefined` for what it does not. */
export interface ForwardedElement {
  /** Who has sent the request to the proxy: a node, see {@link addressOf}. */
  readonly for: string | undefined
  /** Where the proxy has received it: a node. */
  readonly by: string | undefined
  /** The `Host` that the proxy has received. */
  readonly host: string | undefined
  /** The scheme by which it has received the request. */
  readonly proto: string | undefined
}

/**
 * The elements of a field, that of the proxy nearest to the server last. A malformed one stands in its place and tells nothing,
 * because what it hides may be a proxy; empty members are left out.
 *
 * ```text
 * Forwarded         = 1#forwarded-element
 * forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )      each name once
 * forwarded-pair    = token "=" ( token / quoted-string )
 * ```
 *
 * Whitespace round the semicolons is taken although the grammar has none there: some proxies write it.
 */
export const parse = (text: string): ReadonlyArray<ForwardedElement> =>
  Grammar.splitList(text).map((member) => {
    const parameters = Grammar.parseParameters(`;${member}`)
    return O.isNone(parameters) ? mute : elementOf(parameters.value)
  })

const mute: ForwardedElement = { for: undefined, by: undefined, host: undefined, proto: undefined }

const elementOf = (parameters: ReadonlyArray<Grammar.HeaderParameter>): ForwardedElement => {
  const named = new Map(parameters)
  return named.size < parameters.length
    ? mute
    : {
        for: named.get('for'),
        by: named.get('by'),
        host: named.get('host'),
        proto: named.get('proto'),
      }
}

/**
 * The address of a node, without brackets and port; `undefined` for one that is not known, or does not want to be.
 *
 * ```text
 * node      = nodename [ ":" node-port ]
 * nodename  = IPv4address / "[" IPv6address "]" / "unknown" / obfnode
 * node-port = 1*5DIGIT / obfport
 * obfnode   = "_" 1*( ALPHA / DIGIT / "." / "_" / "-" ), and so is obfport
 * ```
 *
 * An IPv6 address is taken without its brackets too: that is how `X-Forwarded-For` has it.
 */
export const addressOf = (node: string): string | undefined => {
  const [, bracketed, plain] = nodeForm.exec(node) ?? []
  if (bracketed !== undefined) return IpAddress.family(bracketed) === 'ipv6' ? bracketed : undefined
  if (plain !== undefined) return IpAddress.family(plain) === 'ipv4' ? plain : undefined
  return IpAddress.family(node) === 'ipv6' ? node : undefined
}

const nodeForm = /^(?:\[([\dA-Fa-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/
