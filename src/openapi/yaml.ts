/**
 * Writes JSON values as YAML in block style. Parsers for YAML 1.1 and 1.2 read the same values, because all strings that one of them
 * could read as another type are quoted.
 *
 * @see https://yaml.org/spec/1.2.2/
 */

/** Writes a JSON value as a YAML document. Members that are `undefined` are omitted, as in JSON. */
export const yamlOf = (value: unknown): string => `${linesOf(value).join('\n')}\n`

/** Returns the lines of a value. The first line continues the line of the enclosing key or list item. */
const linesOf = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.length === 0 ? ['[]'] : value.flatMap(itemLines)
  if (typeof value !== 'object' || value === null) return [scalar(value)]
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.length === 0 ? ['{}'] : members.flatMap(memberLines)
}

const itemLines = (item: unknown): ReadonlyArray<string> =>
  linesOf(item ?? null).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))

const memberLines = ([key, value]: readonly [string, unknown]): ReadonlyArray<string> => {
  const lines = linesOf(value)
  const name = text(key)
  const start = name.length > maxImplicitKey ? [`? ${name}`, ':'] : [`${name}:`]
  return isBlock(value)
    ? [...start, ...lines.map((line) => `  ${line}`)]
    : [...start.slice(0, -1), `${start.at(-1)} ${lines[0]}`]
}

/** The maximum length of a key that is not preceded by a question mark is 1024 characters. */
const maxImplicitKey = 1000

/** Whether a value is written on lines of its own. */
const isBlock = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((member) => member !== undefined || Array.isArray(value))

const scalar = (value: unknown): string => {
  if (typeof value === 'string') return text(value)
  const json = JSON.stringify(value) ?? 'null'
  // YAML 1.1 reads an exponent only after a fraction
  return typeof value === 'number' ? json.replace(/^(-?\d+)e/, '$1.0e') : json
}

const text = (value: string): string =>
  plain.test(value) && !reserved.test(value) ? value : quoted(value)

/** Words, paths, media types and simple phrases, which need no quotes. */
const plain = /^[A-Za-z/][\w./{}+-]*(?: [\w./{}+()-]+)*$/

/** Plain scalars that parsers for YAML 1.1 read as booleans, as null or as numbers. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|e[+-]?\d+)$/i

/** JSON strings are YAML strings, except that some characters must be escaped only in YAML. */
const quoted = (value: string): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
