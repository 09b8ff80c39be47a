/**
 * Labels of charsets. Only the charsets that the package itself reads or writes are listed. All other charsets are left to
 * `TextDecoder`.
 *
 * The Encoding Standard has one decoder for US-ASCII, ISO-8859-1 and windows-1252. They are distinct here, because text must not
 * be encoded in characters that its announced charset does not have.
 *
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */

/** The charsets by name, with their other labels in the Encoding Standard. All labels are in lower case. */
const labels: Readonly<Record<string, ReadonlyArray<string>>> = {
  'utf-8': ['utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  'us-ascii': ['ascii', 'ansi_x3.4-1968'],
  // prettier-ignore
  'iso-8859-1': [
    'cp819', 'csisolatin1', 'ibm819', 'iso-ir-100', 'iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1',
  ],
}

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(labels).flatMap(([name, others]) => others.map((label) => [label, name] as const)),
)

/**
 * Returns the name of the charset with the given label: `utf-8`, `us-ascii` or `iso-8859-1`. Any other label is returned in lower
 * case.
 */
export const charsetName = (label: string): string => {
  const lowerCaseLabel = label.toLowerCase()
  return names.get(lowerCaseLabel) ?? lowerCaseLabel
}

/** Whether text in the charset with the given label can be decoded as UTF-8. */
export const isUtf8Compatible = (label: string): boolean => {
  const name = charsetName(label)
  return name === 'utf-8' || name === 'us-ascii'
}
