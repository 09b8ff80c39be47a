/** The options of a client, and what its calls have of them. */
import * as E from 'fp-ts/lib/Either.js'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Base } from './request/base-url.ts'
import { baseOf } from './request/base-url.ts'
import type { HeaderFields } from './call-options.ts'
import type { Passage, Policy } from './exchange.ts'
import type { Duration } from '../endpoint/limits.ts'
import { parseTimeout } from './policy/timer.ts'
import { applyPolicies } from './policy/policy.ts'
import { withNetworkTimeout } from './transport/network-timeout.ts'
import type { Lists } from './request/query-writer.ts'
import type { Sender } from './request/request-writer.ts'
import { isField } from './request/request-writer.ts'
import { policiesFault } from './said-options.ts'
import type { Fetch } from './transport/fetch-transport.ts'
import { fetchTransport } from './transport/fetch-transport.ts'
import type { Reconnect } from './stream/reconnect.ts'
import { parseReconnectDelay } from './stream/reconnect.ts'
import type { WholeLimits } from './response/lazy-response.ts'

export interface ClientOptions {
  /** Where the service stands: an absolute URL, below which the paths of the contract begin. User information is sent as `Authorization`. */
  readonly baseUrl: string
  /** What sends; the `fetch` of the platform by default. `inMemory(api)` of `espalier/testing` calls a tree without a socket. */
  readonly fetch?: Fetch | undefined
  /** What sends instead of a `fetch`: {@link undiciTransport}, or a function of your own. */
  readonly transport?: Passage | undefined
  /**
   * What stands between calls and the network, by priority and then the outermost first. Of those that are about failing services,
   * this order is usual: `fallback`, `timeout` for a call as a whole, `retry`, `circuitBreaker`, `hedge`, `rateLimit`,
   * `concurrencyLimit`; credentials, `followRedirects` around them, and what is told of each try stand inside.
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /**
   * How long each try waits for the head of its response, and how long a content that is read as a whole may then be silent, before
   * its first piece and between two of them; where it takes longer, the call is `TimedOut`. `30s` by default, `false` for no limit. A
   * `timeout` among the policies can be shorter, and a call can say another one. How long it connects is up to `fetch`.
   *
   * The time in which a large body is sent counts, but for a body in pieces: it is given so long for each piece, from the moment that
   * its source has it, and for the answer behind the last one. A content that goes on may take as long as it likes; a policy
   * `timeout(…, { covers: 'content' })` bounds all of it. Streams, events and files may be quiet as long as `fetch` lets them, which
   * in Node are five minutes.
   */
  readonly timeout?: Duration | false | undefined
  /** Header fields of every request; those of parameters and of a call take their place. */
  readonly headers?: HeaderFields | undefined
  /** How lists travel in queries; `repeat` by default, which is how espalier reads them. */
  readonly lists?: Lists | undefined
  /** Octets of a content that is read as a whole, and of an element of a stream; 10 MiB by default. */
  readonly maxContentLength?: number | undefined
  /** Comes back to event streams that end or break off, until the service answers 204; where it is left out, their end is the end. */
  readonly reconnect?: Reconnect | undefined
}

/** What all calls of a client have in common. */
export interface Common {
  readonly sender: Sender
  /** From a request to its response, through policies. */
  readonly passage: Passage
  readonly whole: WholeLimits
  readonly reconnect: Reconnect | undefined
}

/** Checks the options, and adds all that is wrong with them to the mistakes. */
export const commonOf = (options: ClientOptions, mistakes: Mistake[]): Common => {
  const { policies = [], headers = {}, lists = 'repeat', maxContentLength = tenMebibytes } = options
  const wrong = (option: string, remedy: string): void => {
    mistakes.push({ code: 'FW-CLIENT-003', concerns: [`the option ${option} of a client`], remedy })
  }
  const base = baseOf(options.baseUrl)
  if (E.isLeft(base)) wrong('baseUrl', base.left)
  for (const [name, value] of Object.entries(headers))
    if (!isField(name, value))
      wrong('headers', `${JSON.stringify(name)} cannot be sent as it is written`)
  if (!(maxContentLength >= 0)) wrong('maxContentLength', 'say a number of octets')
  const sender: Sender = {
    base: E.isRight(base) ? base.right : nowhere,
    headers,
    lists,
  }
  const delay = parseReconnectDelay(options.reconnect)
  if (E.isLeft(delay)) wrong('reconnect', delay.left)
  const limit = parseTimeout(options.timeout ?? '30s')
  if (E.isLeft(limit)) wrong('timeout', limit.left)
  if (options.transport !== undefined && options.fetch !== undefined)
    wrong('transport', 'say either it or fetch')
  const unfit = policiesFault(policies)
  if (unfit !== undefined) wrong('policies', unfit)
  const network = options.transport ?? fetchTransport(options.fetch)
  const timeout = E.isRight(limit) ? limit.right : undefined
  // the innermost: it is about the network, and not about what policies wait for
  const passage = applyPolicies(
    unfit === undefined ? policies : [],
    withNetworkTimeout(network, timeout),
  )
  return {
    sender,
    passage,
    whole: { octets: maxContentLength, timeout },
    reconnect: options.reconnect,
  }
}

/** A client is not made for it. */
const nowhere: Base = { url: '', authorization: undefined }

const tenMebibytes = 10 * 1024 * 1024
