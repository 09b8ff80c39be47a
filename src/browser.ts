/** The language as bundlers for browsers find it: a module with handlers in it fails where a page loads it, and not unseen. */
export * from './index.ts'
export { handle, implement, implementAll, provide } from './endpoint/internal/browser-guard.ts'
