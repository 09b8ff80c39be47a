/** Options and credentials for tests of the lending library. */
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions } from '../../src/node.ts'

/** Blocking operations run on workers, which import the library themselves. */
export const served: ServeOptions = {
  logger: silentLogger,
  'fw.worker.threads': 1,
  module: new URL('../../src/showcase/api.js', import.meta.url).href,
}

type Fields = Readonly<Record<string, string>>

const as = (name: string, password: string): Fields => ({
  authorization: `Basic ${btoa(`${name}:${password}`)}`,
})

export const asReader: Fields = as('ann', 'plum')
export const asLibrarian: Fields = as('ben', 'pear')

/** Returns a request with a JSON body. */
export const json = (fields: Fields, value: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json', ...fields },
  body: JSON.stringify(value),
})
