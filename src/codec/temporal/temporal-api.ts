/**
 * Provides `Temporal` from the runtime if available, and otherwise from the `temporal-polyfill` package.
 *
 * The package is loaded on demand, because loading it takes about 15 ms and many programs do not use dates. Browsers cannot
 * load packages on demand. If a browser has no native `Temporal`, the page must import `temporal-polyfill/global`.
 */
import type { Temporal } from 'temporal-polyfill'
import { canLoadModules, loadPackage } from '../../packages/load-package.ts'
import { MissingFeatureError } from '../missing-feature.ts'

interface Provider {
  readonly Temporal: typeof Temporal
}

/** The types of values of date and time codecs. Declarations of applications name these types, so the package exports them. */
export type { Temporal }

/** Returns `Temporal` from the runtime if available. Otherwise, the first call loads `temporal-polyfill`. */
export const temporal = (): typeof Temporal => {
  const runtime: object = globalThis
  return isProvider(runtime) ? runtime.Temporal : (loaded ??= load()).Temporal
}

/**
 * Constructs a Temporal value. Returns `undefined` if `make` throws an error. Throws a `MissingFeatureError` if `Temporal` is
 * not available.
 */
export const construct = <A>(make: (provider: typeof Temporal) => A): A | undefined => {
  const provider = temporal()
  try {
    return make(provider)
  } catch {
    return undefined
  }
}

/** Options of `from` for fields. A date such as 30 February is rejected, instead of being replaced by the last day of the month. */
export const rejectOverflow: { readonly overflow: 'reject' } = { overflow: 'reject' }

/** Converts a value to the ISO calendar. */
export const inIsoCalendar = <
  A extends { readonly calendarId: string; withCalendar(id: string): A },
>(
  value: A,
): A => (value.calendarId === 'iso8601' ? value : value.withCalendar('iso8601'))

const isProvider = (value: object): value is Provider =>
  'Temporal' in value && typeof value.Temporal === 'object' && value.Temporal !== null

/** `require` in the published files; see `load-package.ts`. */
declare const requireBundled: (name: 'temporal-polyfill') => Provider

let loaded: Provider | undefined

const load = (): Provider => {
  if (!canLoadModules()) throw new MissingFeatureError(missing)
  try {
    return loadPackage('temporal-polyfill', () => requireBundled('temporal-polyfill'))
  } catch (cause) {
    throw new MissingFeatureError(missing, { cause })
  }
}

const missing = "missing Temporal: import 'temporal-polyfill/global' first"

/**
 * Loads `temporal-polyfill` asynchronously where `require` cannot load ES modules: on Node.js 22.3 to 22.11, in projects that use
 * Plug'n'Play of Yarn, and in the realm in which Jest runs tests. Returns `undefined` everywhere else, where the package is loaded on
 * demand.
 */
export const preloadTemporal = (): Promise<void> | undefined =>
  loaded === undefined && !isProvider(globalThis) && canLoadModules() && !canRequireModules()
    ? importTemporal()
    : undefined

/** Functions of Node.js are functions of its realm, so that their prototype is another one in the realm of Jest. */
const canRequireModules = (): boolean =>
  process.features.require_module &&
  process.versions['pnp'] === undefined &&
  Object.getPrototypeOf(queueMicrotask) === Function.prototype

/** If the import fails, the first use of a date reports the missing package. */
const importTemporal = async (): Promise<void> => {
  try {
    loaded = await import('temporal-polyfill')
  } catch {}
}

/** The name of a class in `Temporal`. */
export type TemporalName = Exclude<keyof typeof Temporal, 'Now'>

/**
 * Returns a type guard for a class in `Temporal`.
 *
 * The type guard checks the string tag of a value instead of its class. It therefore accepts values created by the
 * runtime as well as values created by `temporal-polyfill`, and does not need to load `temporal-polyfill`.
 */
export const isTemporal =
  <Name extends TemporalName>(name: Name) =>
  (value: unknown): value is InstanceType<(typeof Temporal)[Name]> =>
    Object.prototype.toString.call(value) === `[object Temporal.${name}]`
