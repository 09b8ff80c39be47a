/** What the contents of an operation are written and read with. */
import type { Entities } from '../body/entity/entities.ts'
import type { Usual } from '../body/json/json-rules.ts'
import type { Context } from '../endpoint/context.ts'

export interface Means {
  /** The readers, writers and interceptors around the operation. */
  readonly entities: Entities
  /** What these are told of it. */
  readonly context: Context
  /** What runs codecs, and reads and writes JSON, where nothing else is said. */
  readonly usual: Usual
}
