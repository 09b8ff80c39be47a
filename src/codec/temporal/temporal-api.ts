/**
 * Where `Temporal` comes from: the runtime when it has it, else a package. It is not read from here by name but asked for
 * by call, so that a program without dates never loads the package, which takes some 15 milliseconds. In a browser, which loads
 * nothing by itself, a page brings the package: `import 'temporal-polyfill/global'`.
 */
import type { Temporal } from 'temporal-polyfill'
import { Lacking, isOnNode } from '../node-modules.ts'

interface Provider {
  readonly Temporal: typeof Temporal
}

/** `Temporal` of the runtime, else that of `temporal-polyfill`, which the first call that needs it loads. */
export const temporal = (): typeof Temporal => {
  const runtime: object = globalThis
  return isProvider(runtime) ? runtime.Temporal : (loaded ??= load()).Temporal
}

/** Constructs a Temporal value; `undefined` if Temporal rejects it. Throws if there is no Temporal. */
export const made = <A>(make: (provider: typeof Temporal) => A): A | undefined => {
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
  if (!isOnNode())
    throw new Lacking("there is no Temporal for dates: import 'temporal-polyfill/global' before")
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)('temporal-polyfill')
}

/** The classes of `Temporal`, by name. */
export type TemporalName = Exclude<keyof typeof Temporal, 'Now'>

/**
 * Whether a value is of a class of `Temporal`. The value is asked for its tag, not for its class, so that values of the
 * runtime and of the package both pass, and nothing is loaded to find out that a number is not a date.
 */
export const isTemporal =
  <Name extends TemporalName>(name: Name) =>
  (value: unknown): value is InstanceType<(typeof Temporal)[Name]> =>
    Object.prototype.toString.call(value) === `[object Temporal.${name}]`
