/** What stands in the place of `handle`, `implement` and `provide` where a page loads the language. */

/** Throws: who opens a page can read all that it loads, handlers and what they are given too. */
export const notInPages = (): never => {
  throw new TypeError(
    'a page has loaded a handler, or what is provided to one, and everybody could read it there: declare the contract in a module of its own, and implement it, with filters and secrets, in another that no page imports (the package was resolved with the condition "browser")',
  )
}
