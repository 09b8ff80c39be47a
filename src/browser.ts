/** The language as bundlers for browsers find it: a module with handlers in it fails where it is loaded, and not unseen. */
export * from './index.ts'
export {
  notInPages as handle,
  notInPages as implement,
  notInPages as implementAll,
  notInPages as provide,
} from './endpoint/not-in-pages.ts'
