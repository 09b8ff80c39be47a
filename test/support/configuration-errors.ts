/** Returns the configuration errors of a route tree. */
import type { Mistake } from '../../src/endpoint/internal/configuration-error.ts'
import { MistakesError } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'

export const mistakesIn = (api: Parameters<typeof inMemory>[0]): ReadonlyArray<Mistake> => {
  try {
    inMemory(api)
    return []
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes
  }
}

/** Their codes, each once. */
export const mistakesOf = (api: Parameters<typeof inMemory>[0]): ReadonlyArray<string> => [
  ...new Set(mistakesIn(api).map(({ code }) => code)),
]
