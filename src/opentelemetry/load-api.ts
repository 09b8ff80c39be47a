/** Loads the API of OpenTelemetry, which is an optional package. All copies of it share the providers that an application has registered. */
import type * as OpenTelemetryApi from '@opentelemetry/api'
import { loadPackage } from '../packages/load-package.ts'

/** The package `@opentelemetry/api`. */
export type Api = typeof OpenTelemetryApi

/** Not declared for other modules: a bundler replaces calls with the package. See `load-package.ts`. */
declare const requireBundled: (name: '@opentelemetry/api') => Api

/** Loads the package. Throws an error with a remedy if it is not installed. */
export const loadApi = (): Api => {
  try {
    return loadPackage('@opentelemetry/api', () => requireBundled('@opentelemetry/api'))
  } catch (cause) {
    throw new Error('missing package @opentelemetry/api: run npm install @opentelemetry/api', {
      cause,
    })
  }
}
