/** Levels of the log, and the settings that say them: one for everything, and one for each category. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/text-or-value.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const

/** From the most talkative on; `off` is no level of a line. */
export type LogLevel = (typeof levels)[number]

const isLevel = (u: unknown): u is LogLevel => levels.some((level) => level === u)

/** In text in any case: `DEBUG` is `debug`. */
export const logLevel: t.Type<LogLevel, string> = textOrValue(
  'trace, debug, info, warn, error or off',
  isLevel,
  (text) => O.fromPredicate(isLevel)(text.toLowerCase()),
  String,
)

/** Whether a line of a level is written where `least` is the least that is. */
export const isAtLeast = (of: LogLevel, least: LogLevel): boolean =>
  levels.indexOf(of) >= levels.indexOf(least)

/** The setting of a category's level; the quotes may be left out. */
export type LevelSetting = `fw.log.category.${string}.level`

/** Levels of categories, under the names that `levelName` gives. */
export interface LogLevels {
  readonly [name: LevelSetting]: LogLevel
}

/** `fw.log.category."access".level` for `access`. */
export const levelSetting = (category: string): LevelSetting =>
  `fw.log.category."${category}".level`

/** The category whose level a setting is; `undefined` for all other settings. */
export const categoryOf = (name: string): string | undefined =>
  /^fw\.log\.category\.("?)([^"]+)\1\.level$/.exec(name)?.[2]

/** The name under which a setting is kept: however it was written, there is one for each category. */
export const canonicalSettingName = (name: string): string => {
  const category = categoryOf(name)
  return category === undefined ? name : levelSetting(category)
}

/** How a category is called that an environment variable names, which knows neither case nor punctuation. */
export const environmentCategory = (category: string): string =>
  category.toLowerCase().replace(/[^a-z0-9]/g, '_')

/** The level of a category, under the first of its names that has one. */
export const levelOf = (
  settings: LogLevels & { readonly 'fw.log.level': LogLevel },
  ...names: ReadonlyArray<string>
): LogLevel =>
  names
    .flatMap((name) => [
      settings[levelSetting(name)],
      settings[levelSetting(environmentCategory(name))],
    ])
    .find((one) => one !== undefined) ?? settings['fw.log.level']
