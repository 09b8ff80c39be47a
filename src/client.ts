/** The entry point `espalier/client` for Node.js: typed clients of route trees. */
export * from './client-anywhere.ts'
export { client } from './client/client-on-node.ts'
