/** Loads packages on demand and synchronously. */

/**
 * Whether packages can be loaded on demand. Only Node.js supports this. In browsers, all packages must be included by a
 * bundler.
 */
export const canLoadModules = (): boolean =>
  typeof process === 'object' && typeof process.getBuiltinModule === 'function'

/**
 * `require` in the published files, where `.scripts/bundle.mjs` renames this identifier. Bundlers such as esbuild replace calls to
 * `require` with the package. Without a bundler, ES modules have no `require`.
 */
declare const requireBundled: unknown

/**
 * Loads a package. Must be called only if {@link canLoadModules} returns `true`.
 *
 * `fromBundle` must call `requireBundled` with the name of the package, so that bundlers include the package. If they have not, the
 * package is loaded from `node_modules`.
 */
export const loadPackage = <P extends object>(name: string, fromBundle: () => P): P =>
  bundledPackage(fromBundle) ??
  process.getBuiltinModule('node:module').createRequire(import.meta.url)(name)

/** Returns `undefined` if no bundler has included the package. Bundles for browsers contain an empty object instead. */
const bundledPackage = <P extends object>(fromBundle: () => P): P | undefined => {
  // the global `require` of `node --eval` finds the packages of the application, which can have other versions
  if (typeof requireBundled !== 'function' || 'require' in globalThis) return undefined
  try {
    const bundled = fromBundle()
    return Object.keys(bundled).length === 0 ? undefined : bundled
  } catch {
    return undefined
  }
}
