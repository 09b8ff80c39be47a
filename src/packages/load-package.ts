/** Loads packages on demand. */

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

/**
 * Imports an optional package from `node_modules`. The promise is rejected if the package is not installed.
 *
 * Bundlers resolve the names of packages in `import` when they build, and report missing packages, even if the import is never
 * evaluated. They leave this import as it is: its name is not a constant, and the comments disable the evaluation of its argument.
 */
export const importUnbundled = (name: string): Promise<unknown> =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name)

/**
 * Returns the URL of a module of an optional package in `node_modules`. Throws an error if the package is not installed. Returns
 * `undefined` if the runtime cannot resolve modules, or a bundler has removed the function that does it.
 *
 * For `import.meta.resolve` with a constant, webpack reports missing packages.
 */
export const resolveUnbundled = (specifier: string): string | undefined =>
  typeof import.meta.resolve === 'function' ? import.meta.resolve(specifier) : undefined
