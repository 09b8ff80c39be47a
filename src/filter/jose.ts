/**
 * The part of the optional package `jose` that is used. A server with a `jwt` filter loads it before it listens; other
 * applications need not install it.
 */

/** Finds the key of a token, or is the key. */
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

const remedy = 'jwt() needs the package jose: npm install jose'

/** Returns the remedy if the package is not installed. Platforms that cannot resolve packages find out when they load it. */
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
  throw new Error('jwt() needs version 6 of the package jose: npm install jose@6')
}

// by its resolved name: by its own, the compiler would ask for the types of a package that need not be there
const resolveAndImport = async (): Promise<unknown> => import(import.meta.resolve('jose'))

const isJose = (module: unknown): module is Jose =>
  typeof module === 'object' &&
  module !== null &&
  'jwtVerify' in module &&
  'createLocalJWKSet' in module &&
  'createRemoteJWKSet' in module

/** Whether an error says that a token is bad, and not that its keys cannot be had. */
export const isTokenError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && refusals.test(String(error.code))

const refusals =
  /^ERR_(?:JW[TSE]_|JWKS_NO_MATCHING_KEY$|JWKS_MULTIPLE_MATCHING_KEYS$|JOSE_ALG_NOT_ALLOWED$|JOSE_NOT_SUPPORTED$)/
