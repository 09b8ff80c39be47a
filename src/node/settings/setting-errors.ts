/** Creates configuration errors for files, and re-exports those for settings and expressions. */
import type { ConfigurationIssue } from '../../endpoint/internal/configuration-error.ts'

export * from '../../compiler/settings/setting-errors.ts'

/** Creates the error for a file that exists but cannot be read. `reason` is the message of the underlying error. */
export const unreadableFile = (path: string, reason: string): ConfigurationIssue => ({
  code: 'FW-CONF-004',
  concerns: [path],
  remedy: `must be a readable UTF-8 file (${reason})`,
})

/** Creates the error for a line in a properties file that contains a malformed `\u` escape. */
export const malformedLine =
  (file: string) =>
  (line: number): ConfigurationIssue => ({
    code: 'FW-CONF-004',
    concerns: [`${file}, line ${line}`],
    remedy: String.raw`write \u followed by four hexadecimal digits, or \\ for a backslash`,
  })

/** Creates the error for a line in a `.env` file that does not define a variable. */
export const malformedVariable =
  (file: string) =>
  (line: number): ConfigurationIssue => ({
    code: 'FW-CONF-004',
    concerns: [`${file}, line ${line}`],
    remedy: 'use the form NAME=value, and start comments with #',
  })
