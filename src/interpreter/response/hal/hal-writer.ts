/** How documents in HAL are made: as texts, or as values. */
import type { Codec } from '../../../codec/codec.ts'
import type { Curies, HalLink } from '../../../http/hal.ts'
import type { WriteContext } from '../write-context.ts'
import type { VisibilityRules } from '../../../body/visibility.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'

/** What documents are made of: texts that are put together, or values that are written as a whole. */
export interface HalWriter<D> {
  /** An entity with its links, which are asked for when there is one. */
  readonly entity: (
    value: unknown,
    links: () => ReadonlyArray<HalLink>,
    curies: Curies,
    asking: WriteContext,
  ) => D
  readonly collection: (
    name: string,
    elements: ReadonlyArray<D>,
    links: ReadonlyArray<HalLink>,
    curies: Curies,
  ) => D
  /** Where there is no value. */
  readonly nothing: D
}

/** Prepares how documents of an entity are made. */
export type HalWriterFactory<D> = (
  codec: Codec,
  settings: Settings,
  projecting: VisibilityRules | undefined,
) => HalWriter<D>
