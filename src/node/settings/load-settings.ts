/**
 * Loads the settings for a program from defaults, `application.properties`, `.env`, the environment, and program options.
 *
 * Later sources in this list take precedence over earlier ones. The profile determines which entries in a file are active.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { memoizeHeader } from '../../http/headers.ts'
import { mergeSources } from '../../compiler/settings/merge-sources.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import type { SettingSource } from './setting-source.ts'
import * as Source from './setting-source.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LevelSetting } from '../../compiler/settings/logger.ts'
import type { Configuration } from '../../compiler/settings/resolve-expressions.ts'
import {
  ConfigurationError,
  type ConfigurationIssue,
} from '../../endpoint/definition/configuration-error.ts'
import { categoryOf, levelSetting } from '../../compiler/settings/logger.ts'
import { isSecret, mask } from '../../compiler/settings/setting.ts'
import { codeOf, messageOf } from '../../http/platform-value.ts'

/** Creates an error in a configuration file, or in one of its lines. */
const fileIssue = (place: string, remedy: string): ConfigurationIssue => ({
  code: 'FW-CONF-004',
  concerns: [place],
  remedy,
})

const malformedProperty = (line: number): ConfigurationIssue =>
  fileIssue(
    `application.properties, line ${line}`,
    String.raw`write \u followed by four hexadecimal digits, or \\ for a backslash`,
  )

const malformedVariable = (line: number): ConfigurationIssue =>
  fileIssue(`.env, line ${line}`, 'use the form NAME=value, and start comments with #')

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

/** Reads a configuration file as UTF-8. A missing file is treated as empty. */
const readConfigurationFile = (directory: string | null, name: string): ConfigurationFile => {
  if (directory === null) return { text: '', errors: [] }
  const path = join(directory, name)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    return { text: decoder.decode(readFileSync(path)), errors: [] }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { text: '', errors: [] }
    const remedy = `must be a readable UTF-8 file (${messageOf(error)})`
    return { text: '', errors: [fileIssue(path, remedy)] }
  }
}

const profileIn = (source: SettingSource): string | undefined =>
  O.toUndefined(source.find(Source.profileVariable))?.text.trim() || undefined

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
  const portVariable = pipe(
    variables.find('PORT'),
    O.alt(() => dotEnv.find('PORT')),
  )
  const profile = options.profile ?? profileIn(variables) ?? profileIn(dotEnv) ?? 'prod'
  const parsed = Source.parseProperties(propertiesFile.text)
  const { settings, origin, property } = mergeSources([
    Source.defaultSource(profile),
    Source.portSource(portVariable),
    Source.propertiesSource('application.properties', profile, parsed.right),
    dotEnv,
    variables,
    Source.applicationPropertiesSource(properties, options.propertiesOrigin),
    Source.optionsSource(settingsInput),
  ])

  const errors = [
    ...propertiesFile.errors,
    ...parsed.left.map(malformedProperty),
    ...dotEnvFile.errors,
    ...Source.malformedLines(dotEnvFile.text).map(malformedVariable),
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
      : (O.toUndefined(Settings.settingsTable[name].text(settings[name])) ?? ''),
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
