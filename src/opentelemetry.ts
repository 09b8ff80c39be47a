/** The `espalier/opentelemetry` entry point: spans for requests and client calls. */
export { openTelemetry } from './opentelemetry/open-telemetry.ts'
export type { OpenTelemetry, OpenTelemetryOptions } from './opentelemetry/open-telemetry.ts'
