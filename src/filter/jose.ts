/**
 * The part of the optional package `jose` that is used. A server with a `jwt` filter loads it before it listens; other
 * applications need not install it.
 */

/** A key, or a function that returns the key of a token. */
export type Key = object

export interface Jose {
  readonly jwtVerify: (
    token: string,
    key: Key,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly payload: Readonly<Record<string, unknown>> }>
  readonly createLocalJWKSet: (keys: object) => Key
  readonly createRemoteJWKSet: (url: URL) => Key
}

const remedy = 'jwt() requires the package jose: npm install jose'

/** Returns the remedy if the package is not installed. Without `import.meta.resolve`, only {@link load} detects that. */
export const missing = (): string | undefined => {
  if (typeof import.meta.resolve !== 'function') return undefined
  try {
    import.meta.resolve('jose')
    return undefined
  } catch {
    return remedy
  }
}

/** Loads the package. Rejects with the remedy if it is not installed or has another version. */
export const load = async (): Promise<Jose> => {
  const module: unknown = await resolveAndImport().catch((cause: unknown) => {
    throw new Error(remedy, { cause })
  })
  if (isJose(module)) return module
  throw new Error('jwt() requires version 6 of the package jose: npm install jose@6')
}

// with `import('jose')`, the compiler would require the types of a package that may not be installed
const resolveAndImport = async (): Promise<unknown> => import(import.meta.resolve('jose'))

const isJose = (module: unknown): module is Jose =>
  typeof module === 'object' &&
  module !== null &&
  'jwtVerify' in module &&
  'createLocalJWKSet' in module &&
  'createRemoteJWKSet' in module

/** Whether an error means that the token is invalid, not that its keys are unavailable. */
export const isTokenError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && tokenErrors.test(String(error.code))

const tokenErrors =
  /^ERR_(?:JW[TSE]_|JWKS_NO_MATCHING_KEY$|JWKS_MULTIPLE_MATCHING_KEYS$|JOSE_ALG_NOT_ALLOWED$|JOSE_NOT_SUPPORTED$)/
