/** A target of links, ready to be led to. */
import type { Codec } from '../../codec/codec.ts'
import type { LinkPath } from './link-path.ts'

export interface LinkTarget {
  readonly rel: string
  readonly title?: string
  readonly type?: string
  readonly entity: Codec
  /** What it is called where it is used. */
  readonly of: string
  readonly path: LinkPath
  /** The name of the operation. */
  readonly operation: string
}
