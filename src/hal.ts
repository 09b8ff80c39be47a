/** The `espalier/hal` entry point: HAL representations. */
export { hal } from './endpoint/hal.ts'
export { halEntity, halCollection, addLinks } from './endpoint/hal.ts'
export type {
  CreateHal,
  HalOptions,
  HalRepresentation,
  HalSchemaRepresentation,
  HalValue,
} from './endpoint/hal.ts'
export type { HalCollection, HalEntity } from './endpoint/hal.ts'
export type { Curies, HalLink } from './http/hal.ts'
