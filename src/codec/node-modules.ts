/** Detects whether the platform can load packages on demand. */

/**
 * Whether packages can be loaded on demand. Only Node.js supports this. In browsers, all packages must be included by a
 * bundler.
 */
export const canLoadModules = (): boolean =>
  typeof process === 'object' && typeof process.getBuiltinModule === 'function'

/**
 * The error thrown if the platform does not support a required feature. It is handled as an internal error instead of a
 * validation error.
 */
export class MissingFeatureError extends Error {}
