/** Enforces rate limits: a request filter that takes a unit from the quota of the caller for each request. */
import type { Context } from '../endpoint/context.ts'
import type { RateLimit } from '../endpoint/definition/attributes.ts'
import type { Store, Stored, Taken } from '../endpoint/definition/store.ts'
import type { RequestFilter } from '../endpoint/filter.ts'
import { defaultOrder } from '../endpoint/filter.ts'
import { TooManyRequests } from '../endpoint/http-error.ts'
import { quotaExceededType } from '../endpoint/problem.ts'
import { subscriberNetwork } from '../http/ip-address.ts'
import { isPromise, withoutStack } from '../http/platform-value.ts'

/** A limit as it applies to an operation. */
export interface AppliedLimit {
  readonly limit: RateLimit
  /** The name in headers and problem documents. It is unique among the limits of the operation. */
  readonly name: string
  /** The beginning of the keys of the quotas. It is unique in the tree, and does not change when the server restarts. */
  readonly prefix: string
}

/** Creates the filter that checks limits in the given order. `priority` only describes when it runs. */
export const rateLimitFilter = (
  limits: ReadonlyArray<AppliedLimit>,
  store: Store,
  priority: number,
): RequestFilter => {
  const checks = limits.map(createCheck)
  const warn = storeWarning()
  const checkFrom = (context: Context, from: number): Stored<TooManyRequests | undefined> => {
    for (let index = from; index < checks.length; index++) {
      const check = checks[index]
      if (check === undefined) break
      const key = check.keyOf(context)
      let taken: Stored<Taken>
      try {
        taken = store.take(key, check.rate, 1)
      } catch (error) {
        warn(context, error)
        continue
      }
      if (isPromise(taken))
        return taken.then(
          (later) => check.apply(later, context) ?? checkFrom(context, index + 1),
          (error) => {
            warn(context, error)
            return checkFrom(context, index + 1)
          },
        )
      const rejection = check.apply(taken, context)
      if (rejection !== undefined) return rejection
    }
    return undefined
  }
  const rateLimit = (context: Context): Stored<TooManyRequests | undefined> => checkFrom(context, 0)
  return {
    _tag: 'RequestFilter',
    ...defaultOrder,
    name: 'rateLimit',
    priority,
    nonBlocking: true,
    run: rateLimit,
    needs: new Map(),
    gives: new Map(),
    responses: [],
    authentication: undefined,
  }
}

interface Check extends Pick<RateLimit, 'rate'> {
  readonly keyOf: (context: Context) => string
  /** Adds headers to the response. Returns an error if the request exceeds the limit. */
  readonly apply: (taken: Taken, context: Context) => TooManyRequests | undefined
}

const createCheck = ({ limit, name, prefix }: AppliedLimit): Check => {
  const { rate, headers } = limit
  const policy = `"${name}";q=${limit.limit};w=${Math.ceil(limit.window / 1000)}`
  return {
    rate,
    keyOf: (context) => `${prefix}${callerOf(limit, context)}`,
    apply: ({ isAllowed, remaining, retryAfter, resetAfter }, { response }) => {
      if (headers) {
        // the time until one more unit can be taken
        const wait = isAllowed
          ? resetAfter - (rate.burst - remaining - 1) * rate.interval
          : retryAfter
        const reset = remaining < rate.burst ? `;t=${toSeconds(wait)}` : ''
        response.addHeader('RateLimit-Policy', policy)
        response.addHeader('RateLimit', `"${name}";r=${remaining}${reset}`)
      }
      if (isAllowed) return undefined
      const seconds = toSeconds(retryAfter)
      // a response that an error mapper creates has this header, too
      response.addHeader('Retry-After', String(seconds))
      return withoutStack(
        () =>
          new TooManyRequests(`Rate limit "${name}" exceeded. Try again in ${seconds} s.`, {
            type: quotaExceededType,
            extensions: { 'violated-policies': [name] },
          }),
      )
    },
  }
}

/** Rounds up to seconds, of which `Retry-After` must be a whole number. */
const toSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

/** The prefixes prevent the name of a principal, for example, from being equal to an address. */
const callerOf = ({ by }: RateLimit, context: Context): string => {
  const key =
    by === 'address'
      ? undefined
      : by === 'principal'
        ? context.security.principal?.name
        : by(context)
  if (typeof key === 'string') return `key:${shorten(key)}`
  const address = context.request.clientAddress
  // Unix domain sockets and requests in memory have no addresses
  return address === undefined ? 'unknown' : `address:${subscriberNetwork(address)}`
}

const maxKeyLength = 128

/** Long keys differ at their ends, as tokens do, whose last part is a signature. */
const shorten = (key: string): string =>
  key.length <= maxKeyLength ? key : `${key.length}:${key.slice(-maxKeyLength)}`

/** Returns a function that logs an error of the store, at most once per second. */
const storeWarning = (): ((context: Context, error: unknown) => void) => {
  let next = 0
  return (context, err) => {
    const now = performance.now()
    if (now < next) return
    next = now + 1000
    context
      .logger('server')
      .warn({ err }, 'The store of rate limits is not available: requests are not limited')
  }
}
