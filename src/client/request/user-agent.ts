/** How a client calls itself, where it may: a browser has a name of its own, and asks a service of another origin before another. */

/** The version of this package. */
const version = '0.1.0'

/** The value of `User-Agent`; `undefined` in a browser. */
export const userAgent = (): string | undefined =>
  'document' in globalThis || 'WorkerGlobalScope' in globalThis ? undefined : `espalier/${version}`
