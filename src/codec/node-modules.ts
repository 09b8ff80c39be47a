/** Whether packages can be loaded on demand. Only Node.js can; in browsers, a bundler needs to know all packages. */
export const canLoadModules = (): boolean =>
  typeof process === 'object' && typeof process.getBuiltinModule === 'function'

/** Thrown if the platform lacks a feature. It is an internal error and not a validation error. */
export class MissingFeatureError extends Error {}
