/** Sources of settings and properties, and those that a program contains: defaults, options and application properties. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { formatValue } from './setting.ts'
import * as Level from './logger.ts'
import type { ConfiguredValue } from './resolve-expressions.ts'
import * as Settings from './settings.ts'

/** Whether a name is reserved for settings. Names that begin with `fw.` or `FW_` are reserved. */
export const isReservedName = (name: string): boolean => /^(?:fw\.|FW_)/.test(name)

/** A named value in a source of settings and properties. */
export interface SourceEntry extends ConfiguredValue {
  /** The name in the source, such as an environment variable name. */
  readonly name: string
  /** A string, or a typed value set by the program. */
  readonly value: unknown
  /** The origin shown in messages, such as `application.properties, line 3`. */
  readonly origin: string
}

/** A source of settings and properties. */
export interface SettingSource {
  /** All entries, including those for inactive profiles. Log category levels are not included. */
  readonly entries: ReadonlyArray<SourceEntry>
  /** The names that settings have in this source. */
  readonly settingNames: ReadonlyArray<string>
  /** The names of the settings in this source that set the levels of log categories. */
  readonly levels: ReadonlyArray<Level.LevelSetting>
  /** Whether a name is reserved for settings. An entry that has a reserved name but is not a setting is a configuration error. */
  readonly isReserved: (name: string) => boolean
  /** Finds the active entry for a property. */
  readonly find: (property: string) => O.Option<SourceEntry>
}

/** Returns a function that finds entries by the names of properties. */
export const createFinder = (entries: ReadonlyArray<SourceEntry>): SettingSource['find'] => {
  const byName = new Map(entries.map((entry) => [Level.canonicalSettingName(entry.name), entry]))
  return (name) => O.fromNullable(byName.get(Level.canonicalSettingName(name)))
}

/** Returns the names of the settings among the entries that set the levels of log categories. */
export const levelNames = (
  entries: ReadonlyArray<SourceEntry>,
  categoryOf: (name: string) => string | undefined,
): SettingSource['levels'] =>
  entries.flatMap(({ name }) => {
    const category = categoryOf(name)
    return category === undefined ? [] : [Level.levelSetting(category)]
  })

/** Creates a source from its entries. `active` contains the entries that apply in the current profile. */
export const createSource = (
  entries: ReadonlyArray<SourceEntry>,
  { active = entries, isReserved = isReservedName } = {},
): SettingSource => ({
  entries: entries.filter(({ name }) => Level.categoryOf(name) === undefined),
  settingNames: Settings.settingNames,
  levels: levelNames(active, Level.categoryOf),
  isReserved,
  find: createFinder(active),
})

/**
 * Creates an entry for a value set by the program. A value that is not a string is formatted as text in the syntax of a properties
 * file.
 */
const entryOf = (name: string, value: unknown, origin: string): SourceEntry => {
  if (typeof value === 'string') return { name, value, text: value, literal: false, origin }
  return {
    name,
    value,
    // computed on demand, because the text of a default is rarely read
    get text() {
      return pipe(
        Settings.isSettingName(name) ? Settings.settingsTable[name].text(value) : O.none,
        O.getOrElse(() => formatValue(value)),
      )
    },
    literal: true,
    origin,
  }
}

/** Creates a source that contains the default values of all settings in a profile. */
export const defaultSource = (profile: string): SettingSource => {
  const changed = Settings.profileDefaults(profile)
  return createSource(
    Settings.settingNames.map((name) =>
      changed[name] === undefined
        ? entryOf(name, Settings.defaultSettings[name], 'default')
        : entryOf(name, changed[name], `the default for the ${profile} profile`),
    ),
  )
}

/** Creates a source from the application properties set by the program. Expressions in their values are resolved, as in a file. */
export const applicationPropertiesSource = (
  all: ApplicationProperties,
  origin = 'options.properties',
): SettingSource =>
  createSource(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [entryOf(name, value, origin)],
    ),
  )

/** Application properties by name. A property whose value is `undefined` is treated as not set. */
export type ApplicationProperties = Readonly<Record<string, string | undefined>>

/** Creates a source from the settings passed by the program. A name that is not a setting is a configuration error. */
export const optionsSource = (input: Settings.SettingsInput): SettingSource =>
  createSource(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => entryOf(name, value, 'options')),
    { isReserved: () => true },
  )
