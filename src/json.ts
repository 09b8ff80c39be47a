/** The `espalier/json` entry point: JSON libraries, custom serialization and deserialization, and codecs for JSON values. */

export {
  customDeserialization,
  customSerialization,
  jsonLibrary,
  lossless,
  standardJson,
  omitEmpty,
  omitNull,
} from './endpoint/json-customization.ts'
export type { JsonStep } from './endpoint/json-customization.ts'
export type { Deserialization, JsonRules, Serialization } from './endpoint/definition/json-rules.ts'
export type { JsonLibrary } from './codec/json/json-library.ts'
export { jsonSeq } from './body/formats/json-seq.ts'
export { isJsonNumber, jsonNumber } from './codec/json-number.ts'
export type { JsonNumber } from './codec/json-number.ts'
export { jsonArray, jsonObject, jsonStructure, jsonValue } from './codec/json/json-value.ts'
export type {
  JsonArray,
  JsonObject,
  JsonStructure,
  JsonType,
  JsonValue,
} from './codec/json/json-value.ts'
