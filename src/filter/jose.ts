/**
 * The package `jose`, as far as it is used: an optional one, which the first token has loaded. An application that never
 * checks a token need not install it.
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

/** Loads the package; rejects with what to do where it is not installed. */
export const load = async (): Promise<Jose> => {
  const module: unknown = await resolveAndImport().catch((cause: unknown) => {
    throw new Error('jwt() needs the package jose: npm install jose', { cause })
  })
  if (isJose(module)) return module
  throw new Error('jwt() needs version 6 of the package jose')
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
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && refusals.test(String(error.code))

const refusals =
  /^ERR_(?:JW[TSE]_|JWKS_NO_MATCHING_KEY$|JWKS_MULTIPLE_MATCHING_KEYS$|JOSE_ALG_NOT_ALLOWED$|JOSE_NOT_SUPPORTED$)/
