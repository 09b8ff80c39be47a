/** What an operation says of JSON, in words. */
import type { JsonRules } from '../../endpoint/internal/json-rules.ts'

/** A line, if anything is said. */
export const describeJson = ({
  library,
  serialization,
  deserialization,
}: JsonRules = {}): ReadonlyArray<string> => {
  const said = [
    ...(library === undefined ? [] : [library.name]),
    ...(serialization === undefined ? [] : ['written by a function']),
    ...(deserialization === undefined ? [] : ['read by a function']),
  ]
  return said.length === 0 ? [] : [`  json ${said.join(', ')}`]
}
