/** Receives webhooks: verifies their signatures, and runs the handler only once for each message. */
import { toMilliseconds } from '../client/timer.ts'
import type { RejectedTree } from '../codec/codec.ts'
import type { Context, RequestContext } from '../endpoint/context.ts'
import type { Acquired, Store } from '../endpoint/definition/store.ts'
import type { AnyHandler } from '../endpoint/endpoint.ts'
import { withRequirement } from '../endpoint/filter.ts'
import { wrapHandlers } from '../endpoint/handle.ts'
import {
  BadRequest,
  Conflict,
  ServiceUnavailable,
  Unauthorized,
  isHttpError,
} from '../endpoint/http-error.ts'
import type { ReaderInterceptor } from '../endpoint/interceptor.ts'
import { readerInterceptor } from '../endpoint/interceptor.ts'
import { checkOptions, checkTree } from '../endpoint/internal/combinator.ts'
import type { Duration } from '../endpoint/limits.ts'
import { isReply } from '../endpoint/reply.ts'
import { requestFilter } from '../endpoint/request-filter.ts'
import type { Routes } from '../endpoint/routes.ts'
import { wrapTree } from '../endpoint/routes.ts'
import { isTagged, settle } from '../http/platform-value.ts'
import * as Status from '../http/status.ts'
import { inMemoryStore } from '../store/in-memory-store.ts'
import type { SignedHeaders } from './signature.ts'
import { signerOf } from './signature.ts'

/** Options for {@link receiveWebhooks}. */
export interface ReceiveWebhooksOptions {
  /**
   * The secrets with which the sender signs, such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`. A message is accepted if one of them
   * has signed it, so that a secret can be replaced.
   */
  readonly secrets: string | ReadonlyArray<string>
  /** The store of the ids of messages. Default: a store in the memory of the process. */
  readonly store?: Store
  /** How long the id of a message is stored. Must be longer than the sender repeats a message. Default: `P4D`. */
  readonly keep?: Duration
}

/** The duration of a lease, and the time after which it is extended, in milliseconds. */
const [leaseDuration, renewInterval] = [30_000, 10_000]

/** The maximum difference between the timestamp of a message and the current time, in seconds. The package has the same limit. */
const tolerance = 300

/**
 * Verifies the signatures of all requests to a tree of webhooks (Standard Webhooks), and runs the handler only once for each message.
 * The body is verified before it is decoded.
 *
 * | Request | Response |
 * |---|---|
 * | a `webhook-id`, `webhook-timestamp` or `webhook-signature` header is missing or malformed | 400 |
 * | the signature is invalid, or the timestamp differs by more than 5 minutes from the current time | 401 |
 * | the message is a repetition of one that the handler has processed | 204, or the declared success status |
 * | the message is being processed | 409 |
 * | the store is not available | 503 |
 *
 * If the handler fails or sends a response with another status than 2xx, the message can be sent again. Bodies must be text in UTF-8 that is read as a whole, such as JSON:
 * requests with multipart bodies or streams are rejected with 401. For several processes, and for blocking operations, pass a shared `store`.
 *
 * Requires the `standardwebhooks` package. If it is not installed, the server does not start (`FW-FILTER-003`). Throws a `TypeError` if a secret is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, implementAll, json, path, post, responds, routes, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 * import { receiveWebhooks, webhookSender } from 'espalier/webhooks'
 *
 * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
 * const Loan = t.type({ book: string })
 * const webhooks = routes({ bookLent: pipe(path('/hooks'), post(), body(json(Loan)), responds(204)) })
 * const received: string[] = []
 * const server = inMemory(
 *   pipe(
 *     implementAll(webhooks, { bookLent: (input) => void received.push(input.body.book) }),
 *     receiveWebhooks({ secrets: secret }),
 *   ),
 * )
 * const sender = webhookSender(webhooks, { url: 'http://localhost/hooks', secret, fetch: server })
 * const repeated = { headers: { 'webhook-id': 'msg_1' } }
 * await sender.bookLent({ body: { book: 'Emma' } }, repeated)()
 * const result = await sender.bookLent({ body: { book: 'Emma' } }, repeated)()
 *
 * assert.equal(result._tag, 'Right')
 * assert.deepEqual(received, ['Emma'])
 * ```
 */
export const receiveWebhooks = (
  options: ReceiveWebhooksOptions,
): (<T, R, E>(
  api: Routes<T, R, E> | RejectedTree<'apply receiveWebhooks to a tree: routes({ … })'>,
) => Routes<T, R, E>) => {
  const {
    secrets,
    store = inMemoryStore(),
    keep = 'P4D',
  } = checkOptions('receiveWebhooks', ['secrets', 'store', 'keep'], options)
  const loadSigner = signerOf('receiveWebhooks', secrets)
  const keepFor = toMilliseconds('receiveWebhooks.keep', keep)
  /** The ids of the messages whose bodies have been verified. */
  const verified = new WeakMap<object, string>()

  const verify = async ({ request }: Context, payload: Uint8Array): Promise<string> => {
    const headers = signedHeaders(request)
    if (Math.abs(Date.now() / 1000 - Number(headers.timestamp)) > tolerance)
      throw unauthorized(
        'The webhook timestamp differs by more than 5 minutes from the current time.',
      )
    const signer = await loadSigner()
    if (!signer.verify(headers, payload)) throw unauthorized('The webhook signature is invalid.')
    return headers.id
  }
  const processOnce =
    (handler: AnyHandler): AnyHandler =>
    async (input, context) => {
      // the interceptor has verified a body; without a body, the signature is that of an empty text
      const id = verified.get(context) ?? (await verify(context, new Uint8Array()))
      const key = `webhook:${context.endpoint.name}:${id}`
      const acquired = await acquire(store, key)
      // the declared success without a body, or 204
      if (acquired._tag === 'Complete') return undefined
      if (acquired._tag === 'Busy')
        throw new Conflict('The message is being processed.', { headers: { 'Retry-After': '10' } })
      const { token } = acquired
      const onStoreError = (err: unknown): void =>
        context.logger('webhooks').error({ err }, 'The store of webhooks is not available')
      const renewal = setInterval(() => {
        settle(() => store.renew(key, token, leaseDuration)).catch(onStoreError)
      }, renewInterval)
      let isProcessed = false
      try {
        const result = await settle(handler(input, context))
        isProcessed = isSuccess(result)
        return result
      } finally {
        clearInterval(renewal)
        // an error would cause the message to be sent, and processed, again
        await settle(() =>
          isProcessed
            ? store.complete(key, token, new Uint8Array(), keepFor)
            : store.release(key, token),
        ).catch(onStoreError)
      }
    }

  const interceptor: ReaderInterceptor = {
    ...readerInterceptor(async ({ data, context }, proceed) => {
      verified.set(context, await verify(context, data))
      return proceed()
    }),
    runtime: 'server',
    // other interceptors receive verified bodies
    priority: 0,
  }
  const filter = withRequirement({ missing: () => undefined, load: loadSigner })(
    requestFilter(({ request }) => void signedHeaders(request)),
  )
  return <T, R, E>(
    api: Routes<T, R, E> | RejectedTree<'apply receiveWebhooks to a tree: routes({ … })'>,
  ): Routes<T, R, E> => {
    checkTree('the tree', api)
    const processed = wrapHandlers<T, R, E>(api, processOnce)
    const intercepted = wrapTree<T, R, E>(processed, {
      _tag: 'EntityProviders',
      providers: [interceptor],
    })
    return wrapTree<T, R, E>(intercepted, { _tag: 'Filters', filters: [filter] })
  }
}

/** Returns the headers of a signed message. Throws an `HttpError` with status 400 if one of them is missing or malformed. */
const signedHeaders = ({ header }: RequestContext): SignedHeaders => {
  const read = (name: string, format: RegExp): string => {
    const value = header(name)
    if (value === undefined) throw new BadRequest(`The ${name} header is missing.`)
    if (!format.test(value)) throw new BadRequest(`The ${name} header is invalid.`)
    return value
  }
  return {
    // a dot separates the id from the timestamp in the signed text
    id: read('webhook-id', /^[\x21-\x2d\x2f-\x7e]{1,256}$/),
    timestamp: read('webhook-timestamp', /^\d{1,12}$/),
    signature: read('webhook-signature', /^[\x20-\x7e]{1,2048}$/),
  }
}

const unauthorized = (message: string): Unauthorized =>
  new Unauthorized('StandardWebhooks', message)

/** Leases the id of a message. Rejects with 503 if the store fails. */
const acquire = async (store: Store, key: string): Promise<Acquired> => {
  try {
    return await store.acquire(key, '', leaseDuration)
  } catch (cause) {
    throw new ServiceUnavailable('the store of webhooks is not available', { cause })
  }
}

/** Whether the result of a handler is a response with a 2xx status. */
const isSuccess = (result: unknown): boolean => {
  if (isHttpError(result) || isTagged(result, 'Left')) return false
  if (isTagged(result, 'Right') && 'right' in result) return isSuccess(result.right)
  return !isReply(result) || Status.isSuccess(result.status)
}
