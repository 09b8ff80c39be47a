/** Levels of the log, and the settings that say them: one for everything, and one for each category. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/text-or-value.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const

/** From the most talkative on; `off` is no level of a line. */
export type Level = (typeof levels)[number]

const isLevel = (u: unknown): u is Level => levels.some((level) => level === u)

/** In text in any case: `DEBUG` is `debug`. */
export const level: t.Type<Level, string> = textOrValue(
  'trace, debug, info, warn, error or off',
  isLevel,
  (text) => O.fromPredicate(isLevel)(text.toLowerCase()),
  String,
)

/** Whether a line of a level is written where `least` is the least that is. */
export const reaches = (of: Level, least: Level): boolean =>
  levels.indexOf(of) >= levels.indexOf(least)

/** The setting of a category's level; the quotes may be left out. */
export type LevelName = `fw.log.category.${string}.level`

/** Levels of categories, under the names that `levelName` gives. */
export interface Levels {
  readonly [name: LevelName]: Level
}

/** `fw.log.category."access".level` for `access`. */
export const levelName = (category: string): LevelName => `fw.log.category."${category}".level`

/** The category whose level a setting is; `undefined` for all other settings. */
export const categoryOf = (name: string): string | undefined =>
  /^fw\.log\.category\.("?)([^"]+)\1\.level$/.exec(name)?.[2]

/** The name under which a setting is kept: however it was written, there is one for each category. */
export const canonical = (name: string): string => {
  const category = categoryOf(name)
  return category === undefined ? name : levelName(category)
}

/** How a category is called that an environment variable names, which knows neither case nor punctuation. */
export const plain = (category: string): string => category.toLowerCase().replace(/[^a-z0-9]/g, '_')

/** The level of a category, under the first of its names that has one. */
export const levelOf = (
  settings: Levels & { readonly 'fw.log.level': Level },
  ...names: ReadonlyArray<string>
): Level =>
  names
    .flatMap((name) => [settings[levelName(name)], settings[levelName(plain(name))]])
    .find((one) => one !== undefined) ?? settings['fw.log.level']
