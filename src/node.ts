/** Serving with Node. */
export { explain } from './node/explain.ts'
export { serve, ListenError } from './node/serve.ts'
export type { Server, ServeOptions } from './node/serve.ts'
export type { Signal } from './node/signal.ts'
export type { Logger } from './interpreter/logger.ts'
export { jsonLines } from './node/json-lines.ts'
export { MistakesError } from './interpreter/mistake.ts'
export type { Mistake } from './interpreter/mistake.ts'
