/** Creates OpenTelemetry spans for the requests and client calls that espalier publishes on diagnostics channels. */
import type { Context, ContextAPI, Span, TracerProvider } from '@opentelemetry/api'
import type { TracingChannel } from 'node:diagnostics_channel'
import { tracingChannel } from 'node:diagnostics_channel'
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type { Around } from '../diagnostics/tracing-channel.ts'
import type { AttemptTrace } from '../diagnostics/attempt-trace.ts'
import type { RequestTrace } from '../diagnostics/request-trace.ts'
import { isError } from '../http/platform-value.ts'
import type { Api } from './load-api.ts'
import { loadApi } from './load-api.ts'
import { attemptAttributes, errorType, requestAttributes, spanName } from './conventions.ts'

/** Options for {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Whether attempts of clients have spans. Default: `true`. */
  readonly client?: boolean
  /**
   * Names of query parameters whose values are replaced with `REDACTED`, in addition to those of signed URLs, such as `X-Amz-Signature`.
   * Default: none.
   */
  readonly secretParameters?: ReadonlyArray<string>
  /** Returns `true` for requests without a span, such as health checks. Default: all requests have spans. */
  readonly ignore?: (request: RequestTrace) => boolean
}

/** The spans of espalier. An `Instrumentation` of OpenTelemetry, so that `registerInstrumentations` and `NodeSDK` accept it. */
export interface OpenTelemetry {
  readonly instrumentationName: string
  readonly instrumentationVersion: string
  /** Starts to create spans. */
  readonly enable: () => void
  /** Stops to create spans. The spans of running requests are not ended. */
  readonly disable: () => void
  readonly setTracerProvider: (provider: TracerProvider) => void
  readonly setMeterProvider: () => void
  readonly setConfig: () => void
  readonly getConfig: () => {}
}

const name = 'espalier'

/** The members that are used of the value with which `@opentelemetry/instrumentation-http` stores the span of a request. */
interface RpcMetadata {
  readonly span: Span
  route?: string | undefined
}

const isRpcMetadata = (value: unknown): value is RpcMetadata =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'http'

/** The context in which an operation runs, and a function that ends its span. `undefined` if the operation has no span. */
interface Started {
  readonly context: Context
  readonly finish: () => void
}

/**
 * Creates spans for requests and for the attempts of client calls, according to the stable HTTP conventions of OpenTelemetry.
 *
 * - Each request has one span of kind SERVER, called `{method} {route}`, until its response has been sent completely. If `@opentelemetry/instrumentation-http`
 *   has created a span already, this span receives the route instead.
 * - Each attempt of a client has one span of kind CLIENT, and the context is sent with it. Spans of other instrumentations, such as those for
 *   `fetch`, are suppressed for it.
 * - The span of a request is active in filters and handlers, and the context that the client sent (W3C Trace Context, Baggage) is its parent.
 * - A status of 500 or above, or an internal error, is an error of a SERVER span, and a status of 400 or above is one of a CLIENT span. A
 *   disconnect or an abort is no error.
 *
 * Creates no span until `enable` is called. `registerInstrumentations` and the `instrumentations` of `NodeSDK` call it.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { InMemorySpanExporter, SimpleSpanProcessor, BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { openTelemetry } from 'espalier/opentelemetry'
 * import { inMemory } from 'espalier/testing'
 *
 * const exporter = new InMemorySpanExporter()
 * const instrumentation = openTelemetry()
 * instrumentation.setTracerProvider(
 *   new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
 * )
 * instrumentation.enable()
 *
 * const book = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(text),
 *   handle((input) => `book ${input.path.id}`),
 * )
 * const response = await inMemory(routes({ book }))('http://localhost/books/7')
 * await response.text()
 * instrumentation.disable()
 *
 * const [span] = exporter.getFinishedSpans()
 * assert.equal(span?.name, 'GET /books/{id}')
 * assert.equal(span.attributes['http.response.status_code'], 200)
 * ```
 */
export const openTelemetry = (options: OpenTelemetryOptions = {}): OpenTelemetry => {
  const {
    client: tracesClient = true,
    secretParameters = [],
    ignore = () => false,
  } = checkOptions('openTelemetry', ['client', 'secretParameters', 'ignore'], options)
  const api = loadApi()
  const { SpanKind, createContextKey, propagation, trace: tracing } = api
  // the keys are symbols that all copies of the packages share
  const rpcMetadata = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')
  const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')
  const secrets = new Set(secretParameters)
  let provider: TracerProvider | undefined
  const tracer = () => (provider ?? tracing).getTracer(name)

  const startRequest = (request: RequestTrace): Started | undefined => {
    if (ignore(request)) return undefined
    const active = api.context.active()
    const metadata = active.getValue(rpcMetadata)
    if (isRpcMetadata(metadata)) {
      const setRoute = (): void => {
        metadata.route = request.route
        if (request.route !== undefined) metadata.span.setAttribute('http.route', request.route)
      }
      setRoute()
      // a filter may have rewritten the request
      return { context: active, finish: setRoute }
    }
    const parent = propagation.extract(active, request, headerGetter)
    const span = tracer().startSpan(
      spanName(request.method, request.route),
      { kind: SpanKind.SERVER, attributes: requestAttributes(request, secrets) },
      parent,
    )
    const finish = (): void => {
      const { method, route, status, error } = request
      if (route !== undefined) span.setAttribute('http.route', route)
      span.updateName(spanName(method, route))
      end(api, span, status, errorType(error, status, 500), error)
    }
    return { context: tracing.setSpan(parent, span), finish }
  }

  const startAttempt = (attempt: AttemptTrace): Started => {
    const active = api.context.active()
    const span = tracer().startSpan(
      spanName(attempt.method, attempt.route),
      { kind: SpanKind.CLIENT, attributes: attemptAttributes(attempt, secrets) },
      active,
    )
    const inner = tracing.setSpan(active, span)
    propagation.inject(inner, attempt, headerSetter)
    const finish = (): void => {
      const { status, error } = attempt
      end(api, span, status, errorType(error, status, 400), error)
    }
    return { context: inner.setValue(suppressTracing, true), finish }
  }

  const requests = subscriber(
    api.context,
    tracingChannel<unknown, RequestTrace>('espalier.request'),
    startRequest,
  )
  const attempts = subscriber(
    api.context,
    tracingChannel<unknown, AttemptTrace>('espalier.client.attempt'),
    startAttempt,
  )
  return {
    instrumentationName: name,
    instrumentationVersion: '1',
    enable: () => {
      requests.enable()
      if (tracesClient) attempts.enable()
    },
    disable: () => {
      requests.disable()
      attempts.disable()
    },
    setTracerProvider: (given) => {
      provider = given
    },
    setMeterProvider: () => undefined,
    setConfig: () => undefined,
    getConfig: () => ({}),
  }
}

/** Ends a span with the result of a request. */
const end = (
  { SpanStatusCode }: Api,
  span: Span,
  status: number | undefined,
  type: string | undefined,
  error: unknown,
): void => {
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (type !== undefined) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  if (isError(error)) span.recordException(error)
  span.end()
}

const headerGetter = {
  get: (request: RequestTrace, key: string): string | undefined => request.header(key),
  keys: (): string[] => [],
}

const headerSetter = {
  set: (attempt: AttemptTrace, key: string, value: string): void => attempt.setHeader(key, value),
}

/** The members of a message that {@link subscriber} uses. */
interface Message {
  readonly around: (call: Around) => void
}

const unused = (): void => undefined

/** Subscribes to the channels of one kind of operation. `start` creates the span of an operation. */
const subscriber = <Trace extends Message>(
  api: ContextAPI,
  channel: TracingChannel<unknown, Trace>,
  start: (trace: Trace) => Started | undefined,
): { readonly enable: () => void; readonly disable: () => void } => {
  const running = new WeakMap<object, Started>()
  let isEnabled = false
  const onStart = (trace: Trace): void => {
    const started = start(trace)
    if (started === undefined) return
    running.set(trace, started)
    trace.around((run) => api.with(started.context, run))
  }
  const onEnd = (trace: object): void => running.get(trace)?.finish()
  const subscribers = {
    start: onStart,
    end: unused,
    asyncStart: unused,
    asyncEnd: onEnd,
    error: unused,
  }
  return {
    enable: () => {
      if (!isEnabled) channel.subscribe(subscribers)
      isEnabled = true
    },
    disable: () => {
      channel.unsubscribe(subscribers)
      isEnabled = false
    },
  }
}
