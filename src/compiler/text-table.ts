/** Tables in plain text. */

/**
 * Formats rows as lines. Cells are padded to the width of their column, and columns are separated by two spaces. The last column is
 * not padded.
 */
export const textTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
