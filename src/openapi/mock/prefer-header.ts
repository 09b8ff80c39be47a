/** Parses the preferences by which clients of a mock server select a response. */
import * as O from 'fp-ts/lib/Option.js'
import type { NamedExample } from '../../endpoint/definition/operation-documentation.ts'
import * as Grammar from '../../http/grammar.ts'

/** The preferences that the mock server supports. */
export interface MockPreferences {
  /** Status of the response. */
  readonly code: number | undefined
  /** Name of the example that is sent. */
  readonly example: string | undefined
  /** Whether declared examples are ignored. */
  readonly dynamic: boolean
}

/**
 * Parses a `Prefer` header (RFC 7240). The preferences have the names that Stoplight Prism uses: `code=404`, `example=name` and
 * `dynamic=true`. If a preference occurs several times, the first one applies. Other preferences are ignored.
 */
export const parsePrefer = (header: string | undefined): MockPreferences => {
  const preferences = new Map(
    Grammar.splitList(header ?? '')
      .flatMap((member) => O.getOrElse(() => none)(Grammar.parseParameters(`;${member}`)))
      .toReversed(),
  )
  const code = preferences.get('code') ?? ''
  return {
    code: /^[1-5]\d\d$/.test(code) ? Number(code) : undefined,
    example: preferences.get('example'),
    dynamic: preferences.get('dynamic') === 'true',
  }
}

const none: ReadonlyArray<Grammar.HeaderParameter> = []

/** Writes a `Preference-Applied` header (RFC 7240, 3). Returns `undefined` if no preference was applied. */
export const formatApplied = (
  code: number | undefined,
  example: NamedExample | undefined,
): string | undefined => {
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${Grammar.quote(example.name)}`]),
  ].join(', ')
  return applied !== '' && Grammar.isHeaderValue(applied) ? applied : undefined
}
