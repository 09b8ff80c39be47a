/** Testing a service without a socket. */
export { inMemory } from './node/in-memory.ts'
export type { Call, InMemoryOptions } from './node/in-memory.ts'
