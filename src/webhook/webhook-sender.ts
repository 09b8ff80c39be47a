/** Sends webhooks: signs each attempt, and repeats attempts that fail. */
import * as E from 'fp-ts/lib/Either.js'
import { client } from '../client/client.ts'
import type { ClientOptions } from '../client/client-options.ts'
import type { TreeClient } from '../client/client-types.ts'
import { policyRejection } from '../client/error-factories.ts'
import type { ClientBody, ClientRequest, Passage, Policy } from '../client/exchange.ts'
import { setHeaders } from '../client/policy/headers.ts'
import type { SendResult } from '../client/policy/policy.ts'
import { abortable, createPolicy, discardResponse } from '../client/policy/policy.ts'
import type { RetryOptions } from '../client/policy/retry.ts'
import { isTransientFailure, retryAny } from '../client/policy/retry.ts'
import { checkOptions, checkTree } from '../endpoint/internal/combinator.ts'
import type { AnyNode, Routes } from '../endpoint/routes.ts'
import * as Headers from '../http/headers.ts'
import { parseUrl } from '../http/host.ts'
import * as Status from '../http/status.ts'
import type { Signer } from './signature.ts'
import { signerOf } from './signature.ts'

/** When failed attempts are repeated. */
export type WebhookRetry = Partial<
  Pick<RetryOptions, 'times' | 'backoff' | 'retryAfter' | 'clock' | 'random'>
>

/** Options for {@link webhookSender}. */
export interface WebhookSenderOptions extends Pick<
  ClientOptions,
  'fetch' | 'transport' | 'timeout' | 'policies'
> {
  /** The URL of the subscriber. It replaces the paths in the contract. */
  readonly url: string
  /**
   * The secret of the subscriber, such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`. With several secrets, a message has one signature for each, so
   * that the subscriber can replace the secret.
   */
  readonly secret: string | ReadonlyArray<string>
  /**
   * When failed attempts are repeated. Default: 4 times, after 1 s, 5 s, 25 s and 2 minutes, each reduced by up to half at random. A longer
   * time in `Retry-After` is respected up to 5 minutes.
   */
  readonly retry?: WebhookRetry
  /**
   * Whether a request may be sent to the URL. Called before each attempt. Default: any URL is allowed. If subscribers choose their URL, it can lead to
   * addresses of the internal network (SSRF).
   */
  readonly allow?: (url: URL) => boolean | Promise<boolean>
  /** Called when the subscriber responds with 410. The sender then sends no further messages. */
  readonly onGone?: () => unknown
}

/**
 * Creates a client that sends the webhooks of a contract to one subscriber, with signatures (Standard Webhooks). Its functions are those
 * of `client`, and return a `TaskEither`.
 *
 * Each message has a new `webhook-id`, unless the call has this header. All attempts to send it have the same id. An attempt is
 * successful if the status is 2xx. It is repeated after all other statuses, redirects included, and after network errors and timeouts, but not after 410. The
 * time limit of an attempt is `timeout`. Default: `15s`.
 *
 * Attempts are repeated by this process only. To repeat them for days, store the messages with their ids, and send them with the header
 * `webhook-id`.
 *
 * The operations must not declare a body of the response. Requires the `standardwebhooks` package. Throws a `TypeError` if `url` or a
 * secret is invalid, and a `ConfigurationError` if the contract or another option is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, json, path, post, responds, routes, string } from 'espalier'
 * import { webhookSender } from 'espalier/webhooks'
 *
 * const Loan = t.type({ book: string })
 * const webhooks = routes({ bookLent: pipe(path('/'), post(), body(json(Loan)), responds(204)) })
 * const sender = webhookSender(webhooks, {
 *   url: 'https://subscriber.example/hooks?tenant=7',
 *   secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
 *   fetch: async (url, init) => {
 *     assert.equal(url, 'https://subscriber.example/hooks?tenant=7')
 *     assert.match(new Headers(init.headers).get('webhook-signature') ?? '', /^v1,/)
 *     return new Response(undefined, { status: 202 })
 *   },
 * })
 * const result = await sender.bookLent({ body: { book: 'Emma' } })()
 *
 * assert.equal(result._tag, 'Right')
 * ```
 */
export const webhookSender = <T, R, E>(
  contract: Routes<T, R, E>,
  options: WebhookSenderOptions,
): TreeClient<T, E> => {
  const {
    url,
    secret,
    retry: retries,
    allow,
    onGone,
    policies,
    timeout,
    ...transport
  } = checkOptions(
    'webhookSender',
    ['url', 'secret', 'retry', 'allow', 'onGone', 'fetch', 'transport', 'timeout', 'policies'],
    options,
  )
  checkTree('the contract', contract)
  const target = parseUrl(url)
  if (target === undefined)
    throw new TypeError('webhookSender: invalid url: expected an absolute http or https URL')
  const base = new URL(target)
  base.search = ''
  base.hash = ''
  const policy = webhookPolicy({
    target,
    statuses: successStatuses(contract, []),
    loadSigner: signerOf('webhookSender', secret),
    retries: retries ?? {},
    allow: allow ?? (() => true),
    onGone: onGone ?? (() => undefined),
  })
  return client(contract, {
    ...transport,
    baseUrl: base.href,
    timeout: timeout ?? '15s',
    policies: [...(policies ?? []), policy],
  })
}

/** Returns the success status of each operation by its name. Throws a `TypeError` for an operation that declares a body. */
const successStatuses = (
  node: AnyNode,
  keys: ReadonlyArray<string>,
): ReadonlyMap<string, number> => {
  if (node._tag === 'Routes')
    return new Map(
      Array.from(node.children, ([key, child]) => [
        ...successStatuses(child, [...keys, key]),
      ]).flat(),
    )
  const { produces, responses, status } = node.definition
  const name = keys.join('.')
  const successes = responses.filter((response) => !response.failure)
  if (produces.length > 0 || successes.some(({ representations }) => representations.length > 0))
    throw new TypeError(
      `webhookSender: ${name} declares a body of the response: declare a response without a body, such as responds(204)`,
    )
  return new Map([[name, status ?? successes[0]?.status ?? 204]])
}

interface Sending {
  readonly target: URL
  readonly statuses: ReadonlyMap<string, number>
  readonly loadSigner: () => Promise<Signer>
  readonly retries: WebhookRetry
  readonly allow: (url: URL) => boolean | Promise<boolean>
  readonly onGone: () => unknown
}

const webhookPolicy = (sending: Sending): Policy => {
  const { target, statuses, retries, onGone } = sending
  // receivers recognize repetitions by the header webhook-id
  const repeat = retryAny({
    times: 4,
    retryAfter: '5m',
    ...retries,
    backoff: { first: '1s', factor: 5, max: '2m', ...retries.backoff },
    budget: 'unlimited',
    methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'],
    on: (result, request) =>
      E.isLeft(result)
        ? isTransientFailure(result, request)
        : !Status.isSuccess(result.right.status) && result.right.status !== 410,
  })
  return createPolicy((next) => {
    const send = repeat.around(signing(sending, next))
    let isGone = false
    return (request) => async () => {
      if (isGone) return rejected(request, 'the subscriber has responded with 410')
      const { search } = new URL(request.url)
      const result = await send({
        ...request,
        url: withQuery(target, search),
        headers: setHeaders(request.headers, {
          'webhook-id':
            Headers.first(request.headers, 'webhook-id') ?? `msg_${crypto.randomUUID()}`,
        }),
      })()
      if (E.isLeft(result)) return result
      const { status } = result.right
      if (status === 410) {
        isGone = true
        await onGone()
      }
      if (!Status.isSuccess(status)) return result
      // subscribers may respond with any 2xx status and body
      discardResponse(result)
      const declared = statuses.get(request.operation.name) ?? 204
      return E.right({ ...result.right, status: declared, headers: Headers.empty, body: null })
    }
  })
}

/** Sends a request with a new timestamp and a signature, if the URL is allowed. */
const signing =
  ({ loadSigner, allow }: Sending, next: Passage): Passage =>
  (request) =>
  async () => {
    const allowed = await abortable(request, Promise.resolve(allow(new URL(request.url))))
    if (E.isLeft(allowed)) return allowed
    if (!allowed.right) return rejected(request, 'its URL is not allowed')
    const payload = await bytesOf(request.body)
    if (payload === undefined) return rejected(request, 'only a buffered body can be signed')
    const signer = await loadSigner()
    const id = Headers.first(request.headers, 'webhook-id') ?? ''
    const timestamp = new Date()
    const headers = setHeaders(request.headers, {
      'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
      'webhook-signature': signer.sign(id, timestamp, payload),
    })
    return next({ ...request, headers })()
  }

const rejected = (request: ClientRequest, reason: string): SendResult =>
  E.left(policyRejection(request, { policy: 'webhookSender', reason }))

/** Adds the query of a request to the URL of the subscriber. */
const withQuery = (target: URL, search: string): string => {
  const url = new URL(target)
  url.username = ''
  url.password = ''
  url.hash = ''
  if (search !== '') url.search = url.search === '' ? search : `${url.search}&${search.slice(1)}`
  return url.href
}

/** Returns the bytes of a buffered body, or `undefined` for other bodies. */
const bytesOf = async (body: ClientBody | undefined): Promise<Uint8Array | undefined> => {
  if (body === undefined) return new Uint8Array()
  if (body._tag !== 'Buffered') return undefined
  const { data } = body
  return new Uint8Array(await new Blob([data]).arrayBuffer())
}
