/** Detects whether packages can be loaded on demand. */

/** Whether packages can be loaded on demand. Only Node.js supports this. For browsers, a bundler must know all packages. */
export const canLoadModules = (): boolean =>
  typeof process === 'object' && typeof process.getBuiltinModule === 'function'

/** Thrown if the platform does not support a feature. This is an internal error, not a validation error. */
export class MissingFeatureError extends Error {}
