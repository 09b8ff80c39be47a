/** What stands in the place of `handle` and `implement` where a page loads the language. */

/** Throws: who opens a page can read all that it loads, handlers and what they close over too. */
export const noHandler = (): never => {
  throw new TypeError(
    'a page has loaded a handler, which everybody could read there: declare the contract in a module of its own, and implement it, with filters and what they know, in another that no page imports (the package was resolved with the condition "browser")',
  )
}
