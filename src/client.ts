/** The `espalier/client` entry point for Node.js: typed clients for route trees. */
export * from './client-anywhere.ts'
export { callWithFilters, client, promiseClient } from './client/client-on-node.ts'
