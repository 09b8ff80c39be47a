/**
 * Access to `Temporal`: that of the runtime, or else that of the package `temporal-polyfill`.
 *
 * A function returns it, so that programs without dates never load the package, which takes about 15 milliseconds. Browsers
 * cannot load it on demand: without a native `Temporal`, a page imports `temporal-polyfill/global`.
 */
import type { Temporal } from 'temporal-polyfill'
import { MissingFeatureError, canLoadModules } from '../node-modules.ts'

interface Provider {
  readonly Temporal: typeof Temporal
}

/** Returns the `Temporal` of the runtime, or else loads `temporal-polyfill` on the first call. */
export const temporal = (): typeof Temporal => {
  const runtime: object = globalThis
  return isProvider(runtime) ? runtime.Temporal : (loaded ??= load()).Temporal
}

/** Constructs a Temporal value; `undefined` if Temporal rejects it. Throws if there is no Temporal. */
export const construct = <A>(make: (provider: typeof Temporal) => A): A | undefined => {
  const provider = temporal()
  try {
    return make(provider)
  } catch {
    return undefined
  }
}

const isProvider = (value: object): value is Provider =>
  'Temporal' in value && typeof value.Temporal === 'object' && value.Temporal !== null

let loaded: Provider | undefined

const load = (): Provider => {
  if (!canLoadModules())
    throw new MissingFeatureError("missing Temporal: import 'temporal-polyfill/global' first")
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)('temporal-polyfill')
}

/** The classes of `Temporal`, by name. */
export type TemporalName = Exclude<keyof typeof Temporal, 'Now'>

/**
 * Returns a type guard for a class of `Temporal`.
 *
 * It checks the string tag instead of the class. Values of the runtime and of the package both pass, and no package is loaded.
 */
export const isTemporal =
  <Name extends TemporalName>(name: Name) =>
  (value: unknown): value is InstanceType<(typeof Temporal)[Name]> =>
    Object.prototype.toString.call(value) === `[object Temporal.${name}]`
