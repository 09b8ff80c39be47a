/** Records the spans of requests and client calls with the SDK of OpenTelemetry. */
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { OpenTelemetryOptions } from '../../src/opentelemetry.ts'
import { openTelemetry } from '../../src/opentelemetry.ts'
import type { Hooks } from '../support/describe.ts'
import { waitUntil } from '../support/wait-until.ts'

const exporter = new InMemorySpanExporter()
export const provider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
})

/** Calls `run` while spans are created. Returns its result and the spans, in the order in which they ended. */
export const traced = async <A>(
  run: () => Promise<A>,
  options: OpenTelemetryOptions = {},
): Promise<{ readonly result: A; readonly spans: ReadonlyArray<ReadableSpan> }> => {
  const instrumentation = openTelemetry(options)
  instrumentation.setTracerProvider(provider)
  exporter.reset()
  instrumentation.enable()
  try {
    const result = await run()
    await waitUntil(() => exporter.getFinishedSpans().length > 0 || options.ignore !== undefined)
    return { result, spans: exporter.getFinishedSpans() }
  } finally {
    instrumentation.disable()
  }
}

/** Registers the context manager and the propagator of the SDK while a suite runs. */
export const withSdk = ({ before, after }: Hooks): void => {
  before(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  })
  after(() => {
    context.disable()
    propagation.disable()
  })
}
