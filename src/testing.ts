/** The entry point `espalier/testing`: requests without a socket, and contexts for handlers. */
export { inMemory } from './node/in-memory.ts'
export type { Call, InMemory, InMemoryOptions } from './node/in-memory.ts'
export { testContext } from './node/test-context.ts'
export type { TestContext } from './node/test-context.ts'
