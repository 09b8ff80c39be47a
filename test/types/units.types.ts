/** Types of durations and sizes: literals are checked, and texts that are known only at run time are accepted. */
import { circuitBreaker, hedge, rateLimit, retry, timeout } from '../../src/client.ts'
import type { FetchOptions } from '../../src/fetch.ts'
import { toFetchHandler } from '../../src/fetch.ts'
import type { Duration, LimitsOptions, Routes, Slot } from '../../src/index.ts'
import { idempotent, limits } from '../../src/index.ts'
import type { NodeListenerOptions, ServeOptions } from '../../src/node.ts'
import { nodeListener, serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'

// every form of the parsers
limits({ bodySize: 10, fileSize: '10', partHeaderSize: '010', parsedBodySize: '0' })
limits({ bodySize: '10K', fileSize: '10M', partHeaderSize: '10G' })
limits({ bodySize: '10k', fileSize: '10m', partHeaderSize: '10g', files: 3 })
limits({ timeout: 10 })
limits({ timeout: '10' })
limits({ timeout: '10ms' })
limits({ timeout: '10MS' })
limits({ timeout: '005s' })
limits({ timeout: '10M' })
limits({ timeout: '10h' })
limits({ timeout: '1d' })
limits({ timeout: 'PT30M' })
limits({ timeout: 'pt0.5s' })
limits({ timeout: 'P1DT2H' })
limits({})

// texts that are known only at run time
declare const text: string
declare const seconds: number
declare const duration: Duration
declare const options: LimitsOptions
limits({ bodySize: text, timeout: text })
limits({ bodySize: text === '' ? '10M' : text })
limits({ timeout: `${seconds}s`, bodySize: `${text}M` })
limits({ timeout: `${text}${text}` })
limits({ timeout: duration })
limits(options)
timeout(text)
timeout(seconds)
timeout(duration)
timeout(text === '' ? '5s' : '10s')
hedge(text === '' ? '5s' : text)
rateLimit(2, 'PT1H')
limits(text === '' ? { bodySize: '10M' } : { timeout: '5s' })
circuitBreaker({ within: '1m', open: text, failures: 2 })
circuitBreaker({ open: 5 })
retry({ times: 3, backoff: { first: '1s', max: text, factor: 3 }, retryAfter: '5s' })
retry({ times: 3 })

// @ts-expect-error seconds
limits({ timeout: '5 seconds' })
// @ts-expect-error a unit that does not exist
limits({ timeout: '5w' })
// @ts-expect-error a fraction
limits({ timeout: '1.5s' })
// @ts-expect-error a negative duration
limits({ timeout: '-1s' })
// @ts-expect-error an exponent
limits({ timeout: '1e3' })
// @ts-expect-error no number
limits({ timeout: 'ms' })
// @ts-expect-error a size instead of a duration
limits({ timeout: '10K' })
// @ts-expect-error a period without a unit
limits({ timeout: 'PT5' })
// @ts-expect-error megabytes
limits({ bodySize: '10MB' })
// @ts-expect-error an empty text
limits({ bodySize: '' })
// @ts-expect-error a fraction
limits({ bodySize: '1.5G' })
// @ts-expect-error a duration instead of a size
limits({ fileSize: '10s' })
// @ts-expect-error a number of files has no unit
limits({ files: '3' })
// @ts-expect-error an unknown limit
limits({ bodysize: '10M' })
// @ts-expect-error one of two alternatives
limits({ timeout: text === '' ? '5s' : '10 s' })
// @ts-expect-error seconds
timeout('5 seconds')
// @ts-expect-error seconds
hedge('5sec')
// @ts-expect-error an hour
rateLimit(2, '1 hour')
// @ts-expect-error seconds
circuitBreaker({ within: '5 seconds' })
// @ts-expect-error an unknown option
circuitBreaker({ opened: '5s' })
// @ts-expect-error seconds
retry({ times: 3, backoff: { first: '5 seconds' } })
// @ts-expect-error an unknown option
retry({ times: 3, backof: {} })
// @ts-expect-error a week
retry({ times: 3, retryAfter: '1w' })

const isText: boolean = text === ''

// settings
declare const api: Routes<unknown, {}, unknown>
declare const serveOptions: ServeOptions
void serve(api)
void serve(api, serveOptions)
void serve(api, { 'fw.http.read-timeout': '5s', 'fw.http.limits.max-body-size': '10M' })
void serve(api, { 'fw.http.read-timeout': 5000, 'fw.http.limits.max-body-size': 10 })
void serve(api, { 'fw.http.read-timeout': text, 'fw.http.limits.max-body-size': undefined })
void serve(api, { 'fw.http.limits.max-buffered-size': '80%', 'fw.http.port': '8080' })
void serve(api, { 'fw.log.category."a".level': 'debug', signals: ['SIGTERM'], profile: 'dev' })
void serve(api, { properties: { a: 'b' }, onClose: async () => undefined, instances: 'auto' })
void serve(api, text === '' ? { 'fw.http.port': 0 } : { 'fw.shutdown.grace': '5s' })
// @ts-expect-error seconds
void serve(api, { 'fw.http.read-timeout': '5 seconds' })
// @ts-expect-error megabytes
void serve(api, { 'fw.http.port': 0, 'fw.http.limits.max-body-size': '10MB' })
// @ts-expect-error an unknown setting
void serve(api, { 'fw.http.prot': 0 })
// @ts-expect-error an unknown setting and a known one
void serve(api, { 'fw.http.prot': 0, 'fw.http.host': 'localhost' })
// @ts-expect-error a number as a host
void serve(api, { 'fw.http.host': 1 })
inMemory(api, { 'fw.http.read-timeout': '5s', 'fw.http.handler-timeout': text })
// @ts-expect-error seconds
inMemory(api, { 'fw.http.handler-timeout': '5 seconds' })

// the options of other functions
declare const listenerOptions: NodeListenerOptions
declare const fetchOptions: FetchOptions
declare const Env: Slot<'env', number>
nodeListener(api)
nodeListener(api, listenerOptions)
nodeListener(api, { prefix: '/api', 'fw.http.handler-timeout': '5s' })
nodeListener(api, isText ? { prefix: '/api' } : { 'fw.http.handler-timeout': text })
// @ts-expect-error seconds
nodeListener(api, { prefix: '/api', 'fw.http.handler-timeout': '5 seconds' })
// @ts-expect-error an unknown setting
nodeListener(api, { 'fw.http.handlr-timeout': '5s' })
toFetchHandler(api)
toFetchHandler(api, fetchOptions)
toFetchHandler(api, { 'fw.http.handler-timeout': '5s', 'fw.http.limits.max-body-size': text })
void toFetchHandler(api, {
  platform: Env,
  clientAddress: (request, env) => `${request.url}${env.toFixed()}`,
  'fw.http.handler-timeout': '5s',
})(new Request('http://localhost'), 1)
// @ts-expect-error seconds
toFetchHandler(api, { 'fw.http.handler-timeout': '5 seconds' })
// @ts-expect-error megabytes
toFetchHandler(api, { platform: Env, 'fw.http.limits.max-body-size': '10MB' })
// @ts-expect-error an unknown setting
toFetchHandler(api, { 'fw.http.handlr-timeout': '5s' })

// a text or a number
timeout(isText ? '5s' : 300)
circuitBreaker({ within: isText ? '5s' : 300, open: isText ? 300 : '5s' })
retry({
  times: 1,
  backoff: { first: isText ? '5s' : 300, max: text },
  retryAfter: isText ? 1 : '5s',
})
limits({ timeout: isText ? 300 : '5s', bodySize: isText ? '5M' : 300 })
void serve(api, { 'fw.http.read-timeout': isText ? 300 : '5s' })

// options that were chosen before
const chosenOptions = isText
  ? { 'fw.http.port': 80 }
  : { 'fw.http.port': 8080, 'fw.http.host': 'localhost', 'fw.http.read-timeout': '5s' }
void serve(api, chosenOptions)
inMemory(api, chosenOptions)
const chosenConstants = isText
  ? ({ 'fw.http.port': 80 } as const)
  : ({ 'fw.http.host': 'localhost', 'fw.http.read-timeout': '5s' } as const)
void serve(api, chosenConstants)
const chosenLimits = isText ? ({ bodySize: 80 } as const) : ({ timeout: '5s' } as const)
limits(chosenLimits)
const chosenBreaker = isText ? ({ open: 80 } as const) : ({ within: '5s', failures: 2 } as const)
circuitBreaker(chosenBreaker)
const chosenRetry = isText
  ? ({ times: 80 } as const)
  : ({ times: 1, backoff: { first: '5s' }, retryAfter: '5s' } as const)
retry(chosenRetry)
declare const perhaps: ServeOptions | undefined
void serve(api, perhaps)

// methods of which a retry could run an operation twice
retry({ times: 1, methods: ['GET', 'PURGE'] })
retry({ times: 1, methods: [text] })
// @ts-expect-error declare the operation with idempotent()
retry({ times: 1, methods: ['GET', 'POST'] })
// @ts-expect-error declare the operation with idempotent()
retry({ times: 1, methods: ['PATCH'] })

idempotent()
idempotent(false)
idempotent({ required: false, strict: true, lease: '10s', retention: 1000, maxResponseSize: '10K' })
idempotent({ lease: text, maxResponseSize: text })
// @ts-expect-error use the unit ms, s, m, h or d, as in 10s
idempotent({ lease: '10 seconds' })
// @ts-expect-error use the unit K, M or G, as in 10M
idempotent({ maxResponseSize: '1 MB' })
// @ts-expect-error there is no option leases
idempotent({ leases: '10s' })
