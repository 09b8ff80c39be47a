/** HAL: representations that carry the links of their values. */
export { hal } from './endpoint/hal.ts'
export { halEntity, halCollection, addLinks } from './endpoint/hal.ts'
export type { HalOptions, HalRepresentation, HalValue } from './endpoint/hal.ts'
export type { HalCollection, HalEntity } from './endpoint/hal.ts'
export type { Curies, HalLink } from './http/hal.ts'
