/** Markdown tables, padded as the formatter pads them, so that a run leaves the checkout formatted. */

/** @type {(cells: readonly string[]) => string} */
const line = (cells) => `| ${cells.join(' | ')} |`

/**
 * The first row is the head. The first column keeps to the left, the others to the right.
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
