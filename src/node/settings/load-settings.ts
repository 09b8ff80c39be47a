/**
 * Loads the settings for a program from defaults, `application.properties`, `.env`, the environment, and program options.
 *
 * Later sources in this list take precedence over earlier ones. The profile determines which entries in a file are active.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { memoizeHeader } from '../../body/declared-type.ts'
import {
  resolve,
  type ExpressionError,
  type ResolvedText,
} from '../../compiler/settings/resolve-expressions.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import * as SettingErrors from './setting-errors.ts'
import type { SourceEntry, SettingSource } from './setting-source.ts'
import * as Source from './setting-source.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LevelSetting } from '../../compiler/settings/logger.ts'
import type { Configuration } from '../../compiler/settings/resolve-expressions.ts'
import {
  ConfigurationError,
  type ConfigurationIssue,
} from '../../endpoint/internal/configuration-error.ts'
import { categoryOf, levelSetting } from '../../compiler/settings/logger.ts'
import { isSecret, mask } from '../../compiler/settings/setting.ts'

/** The result of merging all sources of settings. */
interface MergedSettings {
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
  sources.flatMap((source) => {
    const reserved = source.entries.filter(({ name }) => source.isReserved(name))
    if (reserved.length === 0) return []
    const { settingNames: names } = source
    return reserved
      .filter(({ name }) => !names.includes(name))
      .map(SettingErrors.unknownSetting(names))
  })

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

/** Returns the entry for a name from the last source that contains the name. */
const findEntry = (sources: ReadonlyArray<SettingSource>, name: string): O.Option<SourceEntry> => {
  for (const source of sources.toReversed()) {
    const found = source.find(name)
    if (O.isSome(found)) return found
  }
  return O.none
}

/** Merges sources. Later sources take precedence. Together, the sources must contain a value for every setting. */
const mergeSources = (sources: ReadonlyArray<SettingSource>): MergedSettings => {
  // lookups are memoized, because each setting is looked up for its value, its expressions and its origin
  const find: SettingSource['find'] = memoizeHeader((name = '') => findEntry(sources, name))
  const origin = (name: string): string =>
    pipe(
      find(name),
      O.match(
        () => 'nowhere',
        (entry) => entry.origin,
      ),
    )
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
  const valueOf = (name: string): unknown =>
    pipe(
      find(name),
      O.map((entry) => resolveValue(name, entry)),
      O.toUndefined,
    )
  const decoded = Settings.readSettings(
    Object.fromEntries(settingNames(sources).map((name) => [name, valueOf(name)])),
  )
  const toIssues = (error: Settings.InvalidSetting): ReadonlyArray<ConfigurationIssue> =>
    pipe(
      find(error.name),
      O.match(
        () => [],
        (entry) => [SettingErrors.invalidSetting(error, entry, resolveValue(error.name, entry))],
      ),
    )
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

/** Options for `loadSettings`. */
export interface LoadOptions {
  /**
   * The directory that contains `application.properties` and `.env`. If `null`, no files are read. Default: the working directory.
   */
  readonly directory?: string | null
  /** Whether `.env` is read. Default: `true`. */
  readonly readsDotEnv?: boolean
  /** The environment variables. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /**
   * The configuration profile. Default: the value of `FW_PROFILE` in the environment or in `.env`, or `prod` if the variable is not
   * set.
   */
  readonly profile?: string
  /** Application properties. Their values can contain expressions. They override all sources except `settings`. */
  readonly properties?: Source.ApplicationProperties
  /** The origin of `properties` in messages. Default: `options.properties`. */
  readonly propertiesOrigin?: string
  /** Settings by name. They override all other sources. */
  readonly settings?: Settings.SettingsInput
}

/** The settings and the configuration for a program. */
export interface LoadedSettings extends Configuration {
  readonly settings: Settings.Settings
  /**
   * Returns the origin of a setting's value, such as `default`, `application.properties, line 3`, `environment FW_HTTP_PORT` or
   * `options`.
   */
  readonly origin: (setting: Settings.SettingName | LevelSetting) => string
}

interface ConfigurationFile {
  readonly text: string
  readonly errors: ReadonlyArray<ConfigurationIssue>
}

const isMissing = (error: Error): boolean => 'code' in error && error.code === 'ENOENT'

/** Reads a configuration file as UTF-8. A missing file is treated as empty. */
const readConfigurationFile = (directory: string | null, name: string): ConfigurationFile =>
  pipe(
    E.tryCatch(
      () =>
        directory === null
          ? ''
          : new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(join(directory, name))),
      E.toError,
    ),
    E.match(
      (error) => ({
        text: '',
        errors: isMissing(error)
          ? []
          : [SettingErrors.unreadableFile(join(directory ?? '', name), error.message)],
      }),
      (text) => ({ text, errors: [] }),
    ),
  )

const profileIn = (source: SettingSource): O.Option<string> =>
  pipe(
    source.find(Source.profileVariable),
    O.map(({ text }) => text.trim()),
    O.filter((profile) => profile !== ''),
  )

/** Reads and decodes all settings. Throws a `ConfigurationError` that lists every error found. */
export const loadSettings = (options: LoadOptions = {}): LoadedSettings => {
  const { directory = process.cwd(), readsDotEnv = true, environment = process.env } = options
  const { properties = {}, settings: settingsInput = {} } = options
  const propertiesFile = readConfigurationFile(directory, 'application.properties')
  const dotEnvFile = readConfigurationFile(readsDotEnv ? directory : null, '.env')

  const variables = Source.environmentSource(
    environment,
    (variable) => `environment variable ${variable}`,
  )
  const dotEnv = Source.dotEnvSource('.env', dotEnvFile.text)
  const profile =
    options.profile ??
    pipe(
      profileIn(variables),
      O.alt(() => profileIn(dotEnv)),
      O.getOrElse(() => 'prod'),
    )
  const parsed = Source.parseProperties(propertiesFile.text)
  const { settings, origin, property } = mergeSources([
    Source.defaultSource(profile),
    Source.propertiesSource('application.properties', profile, parsed.right),
    dotEnv,
    variables,
    Source.applicationPropertiesSource(properties, options.propertiesOrigin),
    Source.optionsSource(settingsInput),
  ])

  const errors = [
    ...propertiesFile.errors,
    ...parsed.left.map(SettingErrors.malformedLine('application.properties')),
    ...dotEnvFile.errors,
    ...Source.malformedLines(dotEnvFile.text).map(SettingErrors.malformedVariable('.env')),
    ...(E.isLeft(settings) ? settings.left : []),
  ]
  if (E.isLeft(settings) || errors.length > 0) throw new ConfigurationError(errors)
  return {
    settings: settings.right,
    profile,
    isProfileDefined:
      ['dev', 'test', 'prod'].includes(profile) ||
      parsed.right.some((line) => O.toUndefined(line.profile) === profile),
    origin,
    property: memoizeHeader((name = '') => O.toUndefined(property(name))),
  }
}

type Row = readonly [name: string, value: string, origin: string]

const rowOf =
  ({ settings, origin }: LoadedSettings) =>
  (name: Settings.SettingName): Row => [
    name,
    isSecret(name)
      ? mask
      : pipe(
          Settings.settingsTable[name].text(settings[name]),
          O.getOrElse(() => ''),
        ),
    origin(name),
  ]

/** Returns one row for each configured log category level. */
const levelRows = ({ settings, origin }: LoadedSettings): ReadonlyArray<Row> =>
  Object.keys(settings).flatMap((name): ReadonlyArray<Row> => {
    const category = categoryOf(name)
    if (category === undefined) return []
    const setting = levelSetting(category)
    return [[setting, settings[setting] ?? '', origin(setting)]]
  })

/** Maximum width, in characters, to which the value column is padded. Longer values extend beyond this width. */
const maxWidth = 20

/**
 * Returns a table of the settings. Each line contains the name of a setting, its value in the syntax of a properties file, and its
 * origin. The settings are listed in the order of `settingsTable`, followed by the log category levels. Secrets are masked as
 * `***`.
 */
export const describeSettings = (loaded: LoadedSettings): string => {
  const rows = [...Settings.settingNames.map(rowOf(loaded)), ...levelRows(loaded)]
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  const valueWidth = Math.max(
    ...rows.map(([, value]) => (value.length > maxWidth ? 0 : value.length)),
  )
  return rows
    .map(([name, value, origin]) =>
      [name.padEnd(nameWidth), value.padEnd(valueWidth), origin].join('  '),
    )
    .join('\n')
}
