/**
 * A source of properties: what it holds, where it says so, and under which names it can be asked. The sources of one
 * load stand in a list in which later ones win.
 */
import { inspect, parseEnv } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Level from '../../compiler/settings/log-level.ts'
import type { Held } from '../../compiler/settings/resolve-expressions.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import * as Environment from './environment-variables.ts'
import type { FileProperty } from './properties-file.ts'

export interface SourceEntry extends Held {
  /** As the source writes it: a variable's own name in the environment. */
  readonly name: string
  /** The text, or what a program gave. */
  readonly value: unknown
  /** For a message: `application.properties line 3`. */
  readonly origin: string
}

export interface SettingSource {
  /** Everything that is written, also for other profiles, but for the levels of categories. */
  readonly entries: ReadonlyArray<SourceEntry>
  /** The names by which this source can set a setting. */
  readonly known: ReadonlyArray<string>
  /** The levels of categories that it says, under the names by which they are found. */
  readonly levels: ReadonlyArray<Level.LevelName>
  /** Whether only a setting can have been meant by a name. */
  readonly claims: (name: string) => boolean
  readonly find: (property: string) => O.Option<SourceEntry>
}

const finder = (entries: ReadonlyArray<SourceEntry>): SettingSource['find'] => {
  const byName = new Map(entries.map((entry) => [Level.canonical(entry.name), entry]))
  return (name) => O.fromNullable(byName.get(Level.canonical(name)))
}

const levelNames = (
  entries: ReadonlyArray<SourceEntry>,
  categoryOf: (name: string) => string | undefined,
): SettingSource['levels'] =>
  entries.flatMap(({ name }) => {
    const category = categoryOf(name)
    return category === undefined ? [] : [Level.levelName(category)]
  })

const named = (
  entries: ReadonlyArray<SourceEntry>,
  { active = entries, claims = Environment.isReserved } = {},
): SettingSource => ({
  entries: entries.filter(({ name }) => Level.categoryOf(name) === undefined),
  known: Settings.names,
  levels: levelNames(active, Level.categoryOf),
  claims,
  find: finder(active),
})

/** What a program says; as text, a typed value is what a file would have for it. */
const said = (name: string, value: unknown, origin: string): SourceEntry => {
  if (typeof value === 'string') return { name, value, text: value, literal: false, origin }
  return {
    name,
    value,
    // that of a default is seldom asked for
    get text() {
      return pipe(
        Settings.isName(name) ? Settings.table[name].text(value) : O.none,
        O.getOrElse(() => inspect(value)),
      )
    },
    literal: true,
    origin,
  }
}

/** The defaults of every setting, with what the profile changes about them. */
export const defaults = (profile: string): SettingSource => {
  const changed = Settings.profileDefaults(profile)
  return named(
    Settings.names.map((name) =>
      changed[name] === undefined
        ? said(name, Settings.defaults[name], 'default')
        : said(name, changed[name], `default of profile ${profile}`),
    ),
  )
}

/** The properties of a file: those of the active profile win over those of all profiles, later lines over earlier. */
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

/** How a name may be written: that of a level with quotes, and without. */
const written = (property: string): ReadonlyArray<string> => {
  const category = Level.categoryOf(property)
  return category === undefined ? [property] : [property, `fw.log.category.${category}.level`]
}

/** The variables of an environment. Those of other programs mean what they say: only ours can have expressions. */
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
      return [Environment.profileVariable, ...Settings.names.flatMap(Environment.variableNames)]
    },
    claims: Environment.isReserved,
    find: (property) =>
      written(property)
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

/** The variables of a `.env` file, in the syntax that Node reads. */
export const dotEnv = (file: string, text: string): SettingSource => {
  const starts = text.split(/\r\n|[\r\n]/).map((line) => (line.split('=')[0] ?? '').trim())
  return variables(parseEnv(text), (variable) => {
    const start = variable.split('\n')[0]
    const index = starts.findLastIndex((name) => name.replace(/^export\s+/, '') === start)
    return index === -1 ? file : `${file} line ${index + 1}`
  })
}

/** The properties that the program gives. They are read as those of a file are. */
export const givenProperties = (all: ApplicationProperties): SettingSource =>
  named(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [said(name, value, 'given properties')],
    ),
  )

/** Properties of an application by name, each as text. `undefined` counts as not given. */
export type ApplicationProperties = Readonly<Record<string, string | undefined>>

/** What the program gives: nothing but settings. */
export const given = (input: Settings.SettingsInput): SettingSource =>
  named(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => said(name, value, 'given')),
    { claims: () => true },
  )
