/** Calling a service by the values that describe it, on Node. */
export * from './client-anywhere.ts'
export { client } from './client/client-on-node.ts'
