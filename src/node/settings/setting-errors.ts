/** Configuration errors of settings. */
import { inspect } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import {
  expressionRemedy,
  type ExpressionError,
} from '../../compiler/settings/resolve-expressions.ts'
import { isSecret, mask } from '../../compiler/settings/setting.ts'
import type { InvalidSetting } from '../../compiler/settings/settings.ts'
import type { SourceEntry } from './setting-source.ts'
import * as Suggestion from './did-you-mean.ts'

/** A file that exists and cannot be read. `reason` is the message of the system. */
export const unreadableFile = (path: string, reason: string): Mistake => ({
  code: 'FW-CONF-004',
  concerns: [path],
  remedy: `make it a readable file in UTF-8 (${reason})`,
})

/** A line of a properties file with a malformed `\u` escape. */
export const malformedLine =
  (file: string) =>
  (line: number): Mistake => ({
    code: 'FW-CONF-004',
    concerns: [`${file} line ${line}`],
    remedy: String.raw`write \u with four hexadecimal digits, or \\ for a backslash`,
  })

/** A line of a `.env` file that is not a variable. */
export const malformedVariable =
  (file: string) =>
  (line: number): Mistake => ({
    code: 'FW-CONF-004',
    concerns: [`${file} line ${line}`],
    remedy: 'write NAME=value, and # before a comment',
  })

/** A reserved name that is not a setting. The origin of a variable may already contain the name. */
export const unknownSetting =
  (known: ReadonlyArray<string>) =>
  ({ name, origin }: SourceEntry): Mistake => ({
    code: 'FW-CONF-001',
    concerns: [origin.endsWith(` ${name}`) ? origin : `${name} (from ${origin})`],
    remedy: pipe(
      name,
      Suggestion.nearestName(known),
      O.match(
        () => 'remove it',
        (nearest) => `did you mean ${nearest}?`,
      ),
    ),
  })

/** An invalid value. `value` is the value of the entry with its expressions resolved. */
export const invalidValue = (
  { name, expected }: InvalidSetting,
  { text, origin }: SourceEntry,
  value: unknown,
): Mistake => {
  const shown = isSecret(`${name} ${text}`)
    ? mask
    : inspect(value, { breakLength: Infinity, maxStringLength: 100 })
  return {
    code: 'FW-CONF-002',
    concerns: [`${name} = ${shown} (from ${origin})`],
    remedy: `expected ${expected}`,
  }
}

/** An expression that cannot be resolved. `concern` returns a property name with its origin. */
export const unresolved =
  (concern: (property: string) => string) =>
  (error: ExpressionError): Mistake => ({
    code: 'FW-CONF-003',
    concerns: error.properties.map(concern),
    remedy: expressionRemedy(error),
  })
