/**
 * Replacements for `handle`, `implement`, `implementAll` and `provide`, used by bundlers that target browsers.
 *
 * In a web page, the replacements throw a `TypeError`. In Node.js, they are the original functions, because test
 * environments that emulate a web page, such as jsdom, also resolve packages with the condition `browser`.
 */
import * as handlers from './handle.ts'
import * as tree from './routes.ts'

/**
 * Throws a `TypeError`. A page must not load handlers or provided values, because everything that it loads is public.
 */
const throwInPage = (): never => {
  throw new TypeError(
    'the package was resolved with the "browser" condition, but a web page must not load handlers or provided values, because everything in a page is public: declare the contract in one module, and put handlers, filters and secrets in another module that no page imports',
  )
}

const isPage = (): boolean => typeof process !== 'object' || process.versions?.node === undefined

const guard = <F>(make: F): F | typeof throwInPage => (isPage() ? throwInPage : make)

export const handle: typeof throwInPage | typeof handlers.handle = guard(handlers.handle)
export const implement: typeof throwInPage | typeof handlers.implement = guard(handlers.implement)
export const implementAll: typeof throwInPage | typeof handlers.implementAll = guard(
  handlers.implementAll,
)
export const provide: typeof throwInPage | typeof tree.provide = guard(tree.provide)
