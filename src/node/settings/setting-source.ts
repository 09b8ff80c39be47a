/** Sources of settings and properties: defaults, files, environment variables, and options of the program. */
import { inspect } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Level from '../../compiler/settings/log-level.ts'
import type { ConfiguredValue } from '../../compiler/settings/resolve-expressions.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import * as Environment from './environment-variables.ts'
import type { FileProperty } from './properties-file.ts'

export interface SourceEntry extends ConfiguredValue {
  /** The name in the source, such as that of an environment variable. */
  readonly name: string
  /** The string, or the value that the program has set. */
  readonly value: unknown
  /** The origin for messages, such as `application.properties line 3`. */
  readonly origin: string
}

export interface SettingSource {
  /** All entries, including those of other profiles, without the levels of log categories. */
  readonly entries: ReadonlyArray<SourceEntry>
  /** The names by which this source can set settings. */
  readonly known: ReadonlyArray<string>
  /** The names of the levels of log categories that it sets. */
  readonly levels: ReadonlyArray<Level.LevelSetting>
  /** Whether a name is reserved for settings. */
  readonly claims: (name: string) => boolean
  readonly find: (property: string) => O.Option<SourceEntry>
}

const finder = (entries: ReadonlyArray<SourceEntry>): SettingSource['find'] => {
  const byName = new Map(entries.map((entry) => [Level.canonicalSettingName(entry.name), entry]))
  return (name) => O.fromNullable(byName.get(Level.canonicalSettingName(name)))
}

const levelNames = (
  entries: ReadonlyArray<SourceEntry>,
  categoryOf: (name: string) => string | undefined,
): SettingSource['levels'] =>
  entries.flatMap(({ name }) => {
    const category = categoryOf(name)
    return category === undefined ? [] : [Level.levelSetting(category)]
  })

const named = (
  entries: ReadonlyArray<SourceEntry>,
  { active = entries, claims = Environment.isReserved } = {},
): SettingSource => ({
  entries: entries.filter(({ name }) => Level.categoryOf(name) === undefined),
  known: Settings.settingNames,
  levels: levelNames(active, Level.categoryOf),
  claims,
  find: finder(active),
})

/** Creates an entry for a value that the program sets. A typed value is also available in the syntax of a file. */
const entryOf = (name: string, value: unknown, origin: string): SourceEntry => {
  if (typeof value === 'string') return { name, value, text: value, literal: false, origin }
  return {
    name,
    value,
    // computed on demand, because the text of a default is rarely used
    get text() {
      return pipe(
        Settings.isSettingName(name) ? Settings.settingsTable[name].text(value) : O.none,
        O.getOrElse(() => inspect(value)),
      )
    },
    literal: true,
    origin,
  }
}

/** The defaults of all settings in a profile. */
export const defaults = (profile: string): SettingSource => {
  const changed = Settings.profileDefaults(profile)
  return named(
    Settings.settingNames.map((name) =>
      changed[name] === undefined
        ? entryOf(name, Settings.defaultSettings[name], 'default')
        : entryOf(name, changed[name], `default of profile ${profile}`),
    ),
  )
}

/** The properties of a file. Those of the active profile take precedence, then later lines. */
export const properties = (
  file: string,
  profile: string,
  all: ReadonlyArray<FileProperty>,
): SettingSource => {
  const entry = ({ name, value, line }: FileProperty): SourceEntry => ({
    name,
    value,
    text: value,
    literal: false,
    origin: `${file} line ${line}`,
  })
  const active = [
    ...all.filter((property) => O.isNone(property.profile)),
    ...all.filter((property) => O.exists((of) => of === profile)(property.profile)),
  ]
  return named(all.map(entry), { active: active.map(entry) })
}

const categoryOf = (name: string): string | undefined =>
  Level.categoryOf(name) ?? Environment.categoryOf(name)

/** Returns the spellings of a name: that of a level may have quotes or not. */
const spellings = (property: string): ReadonlyArray<string> => {
  const category = Level.categoryOf(property)
  return category === undefined ? [property] : [property, `fw.log.category.${category}.level`]
}

/** The variables of an environment. Expressions are resolved only in variables of the framework. */
export const variables = (
  environment: Readonly<Record<string, string | undefined>>,
  origin: (variable: string) => string,
): SettingSource => {
  const entries = Object.entries(environment).flatMap(
    ([name, value]): ReadonlyArray<SourceEntry> => {
      const literal = !Environment.isReserved(name)
      return value === undefined
        ? []
        : [{ name, value, text: value, literal, origin: origin(name) }]
    },
  )
  const find = finder(entries)
  return {
    entries: entries.filter(({ name }) => categoryOf(name) === undefined),
    levels: levelNames(entries, categoryOf),
    get known() {
      return [
        Environment.profileVariable,
        ...Settings.settingNames.flatMap(Environment.variableNames),
      ]
    },
    claims: Environment.isReserved,
    find: (property) =>
      spellings(property)
        .flatMap(Environment.variableNames)
        .reduce<O.Option<SourceEntry>>(
          (found, name) =>
            pipe(
              found,
              O.alt(() => find(name)),
            ),
          O.none,
        ),
  }
}

/** The properties that the program sets. They are read like those of a file. */
export const givenProperties = (all: ApplicationProperties): SettingSource =>
  named(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [entryOf(name, value, 'given properties')],
    ),
  )

/** Application properties by name. `undefined` counts as not set. */
export type ApplicationProperties = Readonly<Record<string, string | undefined>>

/** The settings that the program sets. All names are reserved for settings. */
export const given = (input: Settings.SettingsInput): SettingSource =>
  named(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => entryOf(name, value, 'given')),
    { claims: () => true },
  )
