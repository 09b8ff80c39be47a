/** Markdown tables, padded in the same way as by the formatter. */

/** @type {(cells: readonly string[]) => string} */
const line = (cells) => `| ${cells.join(' | ')} |`

/**
 * Formats rows as a table. The first row is the header. The first column is left-aligned, the others are right-aligned.
 *
 * @type {(rows: readonly (readonly string[])[]) => string}
 */
export const table = ([head = [], ...rows]) => {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  /** @type {(row: readonly string[]) => string} */
  const padded = ([first = '', ...rest]) =>
    line([
      first.padEnd(widths[0] ?? 0),
      ...rest.map((cell, n) => cell.padStart(widths[n + 1] ?? 0)),
    ])
  const rule = widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [padded(head), line(rule), ...rows.map(padded)].join('\n')
}
