/** Formats values of any type for configuration errors. */

/** Maximum length of a formatted string. */
const maxLength = 100

/**
 * Formats a value as JavaScript source text, such as `'8080'`, `8080` or `{ percent: 80 }`. Long strings are truncated. Values that
 * source text cannot express are formatted as their type.
 */
export const formatValue = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return formatString(value)
    case 'bigint':
      return `${value}n`
    case 'function':
    case 'symbol':
      return `[${typeof value}]`
    case 'object':
      return value === null ? 'null' : formatObject(value)
    default:
      return String(value)
  }
}

const formatString = (text: string): string => {
  const rest = text.length - maxLength
  const quote = !text.includes("'") ? "'" : text.includes('"') ? '`' : '"'
  const escaped = text
    .slice(0, maxLength)
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  return `${quote}${escaped}${quote}${rest > 0 ? `... ${rest} more characters` : ''}`
}

const formatObject = (value: object): string => {
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[ ${value.map(formatValue).join(', ')} ]`
  const members = Object.entries(value).map(([name, member]) => `${name}: ${formatValue(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
