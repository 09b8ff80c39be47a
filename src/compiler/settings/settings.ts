/** Decodes settings. The values are loaded by `node/settings/load-settings.ts`. */
import { interpretedBackEnd } from '../../codec/compiled/interpreted-back-end.ts'
import type { BackEnd } from '../../codec/compiled/compiled-codec.ts'
import { fastestBackEnd } from '../../codec/compiled/select-back-end.ts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InvalidText, ValidDuration, ValidSize } from '../../endpoint/limits.ts'
import type { LevelSetting, LogLevels } from './logger.ts'
import { categoryOf, logLevel } from './logger.ts'
import { settingsTable } from './settings-table.ts'

export { settingsTable } from './settings-table.ts'

/** The name of a setting in the table. Levels of log categories are not included. */
export type SettingName = keyof typeof settingsTable

// the members have the doc comments of the table, because they are mapped from its keys directly
type TableSettings = {
  readonly [N in keyof typeof settingsTable]: t.TypeOf<(typeof settingsTable)[N]>
}

/** The decoded settings in the table, and the levels of log categories. */
export type Settings = TableSettings & LogLevels & OperationLimits

interface OperationLimits {
  /** The names of the limits that an operation sets instead of settings, such as `limits({ fileSize })`, for error messages. */
  readonly limitNames?: { readonly [N in SettingName]?: string | undefined }
}

/**
 * Settings passed by a program. Each value is a string or a typed value. A value of `undefined` is treated as a missing setting.
 */
export type SettingsInput = {
  readonly [N in keyof TableSettings]?: TableSettings[N] | string | undefined
} & {
  readonly [name: LevelSetting]: string | undefined
}

type UnitOf<N extends SettingName> = NonNullable<(typeof settingsTable)[N]['_unit']>

/**
 * Checks the names in the options `O`, and the literals of durations and sizes. `Options` are all options of the function. The error
 * message ends in the remedy.
 */
// the members are optional because `O` can be a union
export type ValidOptions<O, Options> = {
  readonly [K in keyof O]?: K extends SettingName
    ? UnitOf<K> extends 'duration'
      ? ValidDuration<O[K]>
      : UnitOf<K> extends 'size'
        ? ValidSize<O[K]>
        : unknown
    : K extends keyof Options
      ? unknown
      : InvalidText<`there is no option ${K & string}`>
}

/** Whether the table has a setting with this name. */
export const isSettingName = (name: string): name is SettingName =>
  Object.hasOwn(settingsTable, name)

/** The names of all settings, in the order of the table. */
export const settingNames: ReadonlyArray<SettingName> =
  Object.keys(settingsTable).filter(isSettingName)

/** A setting with an invalid value. */
export interface InvalidSetting {
  readonly name: string
  /** A noun phrase that describes the expected value. */
  readonly expected: string
}

const codec = t.strict(settingsTable)

/**
 * Decodes settings from strings and typed values. Missing settings are set to their default values, and unknown names are
 * ignored. A `Left` lists all invalid settings.
 */
export const readSettings = (
  values: Readonly<Record<string, unknown>>,
): E.Either<ReadonlyArray<InvalidSetting>, Settings> => {
  const settings = pipe(codec.decode(values), E.mapLeft(invalidSettings))
  const levels = pipe(readLevels(values), E.mapLeft(invalidSettings))
  if (E.isRight(settings) && E.isRight(levels))
    return E.right({ ...settings.right, ...levels.right })
  return E.left([settings, levels].flatMap((result) => (E.isLeft(result) ? result.left : [])))
}

/** Decodes the levels of log categories. */
const readLevels = (values: Readonly<Record<string, unknown>>): t.Validation<LogLevels> => {
  const names = Object.keys(values).filter(
    (name) => categoryOf(name) !== undefined && values[name] !== undefined,
  )
  return t.strict(Object.fromEntries(names.map((name) => [name, logLevel]))).decode(values)
}

const invalidSettings = (errors: t.Errors): ReadonlyArray<InvalidSetting> =>
  errors.flatMap(({ context }) =>
    context.slice(1, 2).map(({ key, type }) => ({ name: key, expected: type.name })),
  )

/** The default values of all settings in the profile `prod`. */
export const defaultSettings: Settings = pipe(
  readSettings({}),
  E.getOrElse((invalid): Settings => {
    throw new TypeError(`invalid default settings: ${JSON.stringify(invalid)}`)
  }),
)

/**
 * Returns the settings whose default depends on the profile. In `dev` and `test`, the server listens only on `localhost` and stops
 * without a grace period. In `dev`, the log is text.
 */
export const profileDefaults = (profile: string): SettingsInput =>
  profile === 'dev' || profile === 'test'
    ? {
        'fw.http.host': 'localhost',
        'fw.shutdown.grace': 0,
        ...(profile === 'dev' ? { 'fw.log.format': 'text' } : {}),
      }
    : {}

type BackEndSettings = Pick<
  Settings,
  'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'
>

/** Returns the codec back end selected by the settings. */
export const codecBackEnd = (settings: BackEndSettings): BackEnd =>
  settings['fw.rest.jsonlib.optimization.enable-reflection-free-serializers']
    ? fastestBackEnd()
    : interpretedBackEnd
