/**
 * Loads the settings of a program from defaults, `application.properties`, `.env`, the environment, and the options of the program.
 *
 * Later sources take precedence. A profile selects entries within its file.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { LevelSetting } from '../../compiler/settings/log-level.ts'
import type { Configuration } from '../../compiler/settings/configuration.ts'
import { MistakesError, type Mistake } from '../../endpoint/internal/configuration-error.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type * as Settings from '../../compiler/settings/settings.ts'
import { dotEnvSource, malformedLines } from './dot-env.ts'
import * as Environment from './environment-variables.ts'
import { mergeSources } from './merge-sources.ts'
import * as SettingErrors from './setting-errors.ts'
import * as Properties from './properties-file.ts'
import * as Source from './setting-source.ts'

export interface LoadOptions {
  /** The directory of `application.properties` and `.env`. `null` reads no files. Default: the working directory. */
  readonly directory?: string | null
  /** Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The profile. Default: `FW_PROFILE` of the environment or `.env`, otherwise `prod`. */
  readonly profile?: string
  /** Application properties, which may contain expressions. They take precedence over all other sources. */
  readonly properties?: Source.ApplicationProperties
  readonly given?: Settings.SettingsInput
}

export interface LoadedSettings extends Configuration {
  readonly settings: Settings.Settings
  /** Returns the origin of a setting: `default`, `application.properties line 3`, `environment FW_HTTP_PORT` or `given`. */
  readonly origin: (setting: Settings.SettingName | LevelSetting) => string
}

interface FileContent {
  readonly text: string
  readonly errors: ReadonlyArray<Mistake>
}

const isMissing = (error: Error): boolean => 'code' in error && error.code === 'ENOENT'

const read = (directory: string | null, name: string): FileContent =>
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

const profileIn = (source: Source.SettingSource): O.Option<string> =>
  pipe(
    source.find(Environment.profileVariable),
    O.map(({ text }) => text.trim()),
    O.filter((profile) => profile !== ''),
  )

/** Reads and decodes all settings. Throws a `MistakesError` that lists all errors. */
export const loadSettings = (options: LoadOptions = {}): LoadedSettings => {
  const { directory = process.cwd(), environment = process.env } = options
  const { properties = {}, given = {} } = options
  const propertiesFile = read(directory, 'application.properties')
  const dotEnvFile = read(directory, '.env')

  const variables = Source.variables(environment, (variable) => `environment ${variable}`)
  const dotEnv = dotEnvSource('.env', dotEnvFile.text)
  const profile =
    options.profile ??
    pipe(
      profileIn(variables),
      O.alt(() => profileIn(dotEnv)),
      O.getOrElse(() => 'prod'),
    )
  const parsed = Properties.parseProperties(propertiesFile.text)
  const { settings, origin, property } = mergeSources([
    Source.defaults(profile),
    Source.properties('application.properties', profile, parsed.right),
    dotEnv,
    variables,
    Source.givenProperties(properties),
    Source.given(given),
  ])

  const errors = [
    ...propertiesFile.errors,
    ...parsed.left.map(SettingErrors.malformedLine('application.properties')),
    ...dotEnvFile.errors,
    ...malformedLines(dotEnvFile.text).map(SettingErrors.malformedVariable('.env')),
    ...(E.isLeft(settings) ? settings.left : []),
  ]
  if (E.isLeft(settings) || errors.length > 0) throw new MistakesError(errors)
  return {
    settings: settings.right,
    profile,
    origin,
    property: memoizeHeader((name = '') => O.toUndefined(property(name))),
  }
}
