/** Merges sources of settings and properties, resolves expressions, and decodes settings. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { memoizeHeader } from '../../http/headers.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import { resolve, type ExpressionError, type ResolvedText } from './resolve-expressions.ts'
import * as SettingErrors from './setting-errors.ts'
import type { SourceEntry, SettingSource } from './setting-source.ts'
import * as Settings from './settings.ts'

/** The result of merging all sources of settings. */
export interface MergedSettings {
  /** The settings, or errors in the following order: unknown names, invalid values, unresolvable expressions. */
  readonly settings: E.Either<ReadonlyArray<ConfigurationIssue>, Settings.Settings>
  /** Returns a description of where the value of a setting comes from. */
  readonly origin: (setting: string) => string
  /** Returns the value of a property, setting or environment variable after resolving its expressions. */
  readonly property: (name: string) => O.Option<string>
}

const distinct = (errors: ReadonlyArray<ExpressionError>): ReadonlyArray<ExpressionError> => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
]

const lefts = <A>(either: E.Either<ReadonlyArray<A>, unknown>): ReadonlyArray<A> =>
  E.isLeft(either) ? either.left : []

const unknownSettings = (
  sources: ReadonlyArray<SettingSource>,
): ReadonlyArray<ConfigurationIssue> =>
  sources.flatMap(({ entries, isReserved, settingNames: names }) =>
    entries
      .filter(({ name }) => isReserved(name) && !names.includes(name))
      .map(SettingErrors.unknownSetting(names)),
  )

/** Returns the names of all settings, including those that set the levels of log categories. */
const settingNames = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<string> => [
  ...Settings.settingNames,
  ...new Set(sources.flatMap(({ levels }) => levels)),
]

/** Returns the names of all application properties and settings whose expressions must be resolvable. */
const namesToResolve = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<string> => {
  const applicationEntries = sources.flatMap(({ entries, isReserved }) =>
    entries.filter(({ name, literal }) => !literal && !isReserved(name)),
  )
  return [...new Set([...applicationEntries.map(({ name }) => name), ...settingNames(sources)])]
}

/** Returns the entry for a name from the first source that contains the name. */
const findEntry = (sources: ReadonlyArray<SettingSource>, name: string): O.Option<SourceEntry> => {
  for (const source of sources) {
    const found = source.find(name)
    if (O.isSome(found)) return found
  }
  return O.none
}

const isEmpty = ({ entries, levels }: SettingSource): boolean =>
  entries.length === 0 && levels.length === 0

/** Merges sources. Later sources take precedence. Together, the sources must contain a value for every setting. */
export const mergeSources = (sources: ReadonlyArray<SettingSource>): MergedSettings => {
  // lookups are memoized, because each setting is looked up for its value, its expressions and its origin
  const searched = sources.filter((source) => !isEmpty(source)).toReversed()
  const find: SettingSource['find'] = memoizeHeader((name = '') => findEntry(searched, name))
  const origin = (name: string): string => O.toUndefined(find(name))?.origin ?? 'nowhere'
  const resolveText = (name: string): ResolvedText =>
    pipe(
      find(name),
      O.match(() => E.left([]), resolve(find)(name)),
    )
  const property = (name: string): O.Option<string> => O.fromEither(resolveText(name))
  /** Returns the value of an entry. Expressions in strings are resolved. Returns `undefined` if an expression is unresolvable. */
  const resolveValue = (name: string, entry: SourceEntry): unknown =>
    typeof entry.value === 'string' ? O.toUndefined(property(name)) : entry.value

  const expressionErrors = (name: string): ReadonlyArray<ExpressionError> => {
    const found = find(name)
    return O.isSome(found) && found.value.literal ? [] : lefts(resolveText(name))
  }
  const valueOf = (name: string): unknown => {
    const entry = O.toUndefined(find(name))
    return entry && resolveValue(name, entry)
  }
  const decoded = Settings.readSettings(
    Object.fromEntries(settingNames(sources).map((name) => [name, valueOf(name)])),
  )
  const toIssues = (error: Settings.InvalidSetting): ReadonlyArray<ConfigurationIssue> => {
    const entry = O.toUndefined(find(error.name))
    return entry === undefined
      ? []
      : [SettingErrors.invalidSetting(error, entry, resolveValue(error.name, entry))]
  }
  const errors = [
    ...unknownSettings(sources),
    ...lefts(decoded).flatMap(toIssues),
    ...distinct(namesToResolve(sources).flatMap(expressionErrors)).map(
      SettingErrors.unresolvableExpression((name) => `${name} (from ${origin(name)})`),
    ),
  ]
  return {
    settings: E.isRight(decoded) && errors.length === 0 ? decoded : E.left(errors),
    origin,
    property,
  }
}
