/**
 * `handle`, `implement` and `provide` as bundlers for browsers find them. Tests that only pretend to be a page, by jsdom above all,
 * resolve packages in the same way and run on Node, where they may have what they like.
 */
import * as anywhere from '../handle.ts'
import * as together from '../handle.ts'
import * as tree from '../routes.ts'

/** Throws: who opens a page can read all that it loads, handlers and what they are given too. */
const throwInPage = (): never => {
  throw new TypeError(
    'a page has loaded a handler, or what is provided to one, and everybody could read it there: declare the contract in a module of its own, and implement it, with filters and secrets, in another that no page imports (the package was resolved with the condition "browser")',
  )
}

const isPage = (): boolean => typeof process !== 'object' || process.versions?.node === undefined

const guard = <F>(make: F): F | typeof throwInPage => (isPage() ? throwInPage : make)

export const handle: typeof throwInPage | typeof anywhere.handle = guard(anywhere.handle)
export const implement: typeof throwInPage | typeof anywhere.implement = guard(anywhere.implement)
export const implementAll: typeof throwInPage | typeof together.implementAll = guard(
  together.implementAll,
)
export const provide: typeof throwInPage | typeof tree.provide = guard(tree.provide)
