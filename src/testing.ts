/** Testing a service without a socket. */
export { inMemory } from './node/in-memory.ts'
export type { Call, InMemory, InMemoryOptions } from './node/in-memory.ts'
export { testContext } from './node/test-context.ts'
export type { TestContext } from './node/test-context.ts'
