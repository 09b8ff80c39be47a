/** Whether packages can be loaded at first need, which Node alone does: in a browser a bundler has to know them before. */
export const canLoadModules = (): boolean =>
  typeof process === 'object' && typeof process.getBuiltinModule === 'function'

/** A program needs what the platform lacks: no value is at fault, and nobody takes it for a refusal of one. */
export class MissingFeatureError extends Error {}
