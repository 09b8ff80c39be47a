/** The language as bundlers for browsers find it: a module with handlers in it fails where it is loaded, and not unseen. */
export * from './index.ts'
export {
  noHandler as handle,
  noHandler as implement,
  noHandler as implementAll,
} from './endpoint/no-handler.ts'
