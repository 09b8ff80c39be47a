/** Merges setting sources: later ones take precedence, expressions are resolved, and settings are decoded. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import {
  resolve,
  type ExpressionError,
  type ResolvedText,
} from '../../compiler/settings/resolve-expressions.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import * as SettingErrors from './setting-errors.ts'
import type { SourceEntry, SettingSource } from './setting-source.ts'

export interface MergedSettings {
  /** On the left: unknown names, then invalid values, then unresolvable expressions. */
  readonly settings: E.Either<ReadonlyArray<Mistake>, Settings.Settings>
  /** Returns the origin of a setting. */
  readonly origin: (setting: string) => string
  /** Returns the resolved value of any property, setting or variable. */
  readonly property: (name: string) => O.Option<string>
}

/** Removes duplicates. */
const distinct = (errors: ReadonlyArray<ExpressionError>): ReadonlyArray<ExpressionError> => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
]

const lefts = <A>(either: E.Either<ReadonlyArray<A>, unknown>): ReadonlyArray<A> =>
  E.isLeft(either) ? either.left : []

const unknownSettings = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<Mistake> =>
  sources.flatMap((source) => {
    const claimed = source.entries.filter(({ name }) => source.claims(name))
    if (claimed.length === 0) return []
    const { known } = source
    return claimed
      .filter(({ name }) => !known.includes(name))
      .map(SettingErrors.unknownSetting(known))
  })

/** Returns the names of all settings: those of the table, and the configured levels of log categories. */
const settingNames = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<string> => [
  ...Settings.settingNames,
  ...new Set(sources.flatMap(({ levels }) => levels)),
]

/** Returns the names whose expressions must be resolvable: all settings, and the application's own properties. */
const namesToResolve = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<string> => {
  const own = sources.flatMap(({ entries, claims }) =>
    entries.filter(({ name, literal }) => !literal && !claims(name)),
  )
  return [...new Set([...own.map(({ name }) => name), ...settingNames(sources)])]
}

const nearest = (sources: ReadonlyArray<SettingSource>, name: string): O.Option<SourceEntry> => {
  for (let at = sources.length - 1; at >= 0; at--) {
    const found = sources[at]?.find(name) ?? O.none
    if (O.isSome(found)) return found
  }
  return O.none
}

/** Merges sources, of which later ones take precedence. Together they must have a value for every setting. */
export const mergeSources = (sources: ReadonlyArray<SettingSource>): MergedSettings => {
  // memoized, because each setting is looked up when it is read, when its expressions are checked, and for its origin
  const find: SettingSource['find'] = memoizeHeader((name = '') => nearest(sources, name))
  const origin = (name: string): string =>
    pipe(
      find(name),
      O.match(
        () => 'nowhere',
        (entry) => entry.origin,
      ),
    )
  const resolved = (name: string): ResolvedText =>
    pipe(
      find(name),
      O.match(() => E.left([]), resolve(find)(name)),
    )
  const property = (name: string): O.Option<string> => O.fromEither(resolved(name))
  /** Strings are resolved, other values are used unchanged. A string that cannot be resolved counts as missing. */
  const value = (name: string, entry: SourceEntry): unknown =>
    typeof entry.value === 'string' ? O.toUndefined(property(name)) : entry.value

  /** Literal values contain no expressions. */
  const expressionErrors = (name: string): ReadonlyArray<ExpressionError> => {
    const found = find(name)
    return O.isSome(found) && found.value.literal ? [] : lefts(resolved(name))
  }
  const valueOf = (name: string): unknown =>
    pipe(
      find(name),
      O.map((entry) => value(name, entry)),
      O.toUndefined,
    )
  const read = Settings.readSettings(
    Object.fromEntries(settingNames(sources).map((name) => [name, valueOf(name)])),
  )
  const invalid = (error: Settings.InvalidSetting): ReadonlyArray<Mistake> =>
    pipe(
      find(error.name),
      O.match(
        () => [],
        (entry) => [SettingErrors.invalidValue(error, entry, value(error.name, entry))],
      ),
    )
  const errors = [
    ...unknownSettings(sources),
    ...lefts(read).flatMap(invalid),
    ...distinct(namesToResolve(sources).flatMap(expressionErrors)).map(
      SettingErrors.unresolved((name) => `${name} (from ${origin(name)})`),
    ),
  ]
  return {
    settings: E.isRight(read) && errors.length === 0 ? read : E.left(errors),
    origin,
    property,
  }
}
