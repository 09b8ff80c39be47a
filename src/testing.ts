/**
 * The entry point `espalier/testing`: functions that send requests to a tree without a socket, and functions for unit tests
 * of handlers.
 */
export { inMemory } from './node/in-memory.ts'
export type { InMemoryCall, InMemory, InMemoryOptions } from './node/in-memory.ts'
export { settle, testContext } from './node/test-context.ts'
export type { SuccessOf, TestContext } from './node/test-context.ts'
export { testUpload } from './node/test-upload.ts'
export type { TestUpload } from './node/test-upload.ts'
export { endpointsOf } from './endpoint/handle.ts'
export type { EndpointsOf } from './endpoint/handle.ts'
