/** The public functions without their types, as programs in JavaScript see them. */
import { pipe as typedPipe } from 'fp-ts/lib/function.js'
import { client } from '../../../src/client.ts'
import { ConfigurationError } from '../../../src/endpoint/definition/configuration-error.ts'
import * as typed from '../../../src/index.ts'

export type Untyped = (...args: ReadonlyArray<unknown>) => never

/** Removes the type of a function. */
export const withoutType = (f: unknown): Untyped => f as Untyped

export const untyped = typed as unknown as Readonly<Record<keyof typeof typed, Untyped>>

export const pipe = withoutType(typedPipe)

/** The issues of the configuration error that a function throws, each as its code, its routes and its remedy. */
export const issuesOf = async (run: () => unknown): Promise<ReadonlyArray<string>> => {
  try {
    await run()
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.issues.map(
        ({ code, concerns, remedy }) => `${[code, ...concerns].join(' ')}: ${remedy}`,
      )
    throw error
  }
  return []
}

/** The issues of a client of a contract. */
export const clientIssues = (contract: unknown): Promise<ReadonlyArray<string>> =>
  issuesOf(() => withoutType(client)(contract, { baseUrl: 'http://localhost' }))

/** Returns the `TypeError` that a function throws. */
export const typeErrorOf = (run: () => unknown): TypeError => {
  try {
    run()
  } catch (error) {
    if (error instanceof TypeError) return error
    throw error
  }
  throw new Error('no error')
}
