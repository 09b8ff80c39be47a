/**
 * The sources of settings and properties outside the program: `application.properties`, `.env` and environment variables.
 *
 * This module also contains the parser for `.properties` files, and maps property names to environment variable names.
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Separated } from 'fp-ts/lib/Separated.js'
import { parseEnv } from 'node:util'
import * as Level from '../../compiler/settings/logger.ts'
import type { SettingSource, SourceEntry } from '../../compiler/settings/setting-source.ts'
import {
  createFinder,
  createSource,
  isReservedName,
  levelNames,
} from '../../compiler/settings/setting-source.ts'
import * as Settings from '../../compiler/settings/settings.ts'

export * from '../../compiler/settings/setting-source.ts'

/** A property in a `.properties` file. */
export interface FileProperty {
  /**
   * The profile in which the property is active, such as `dev` for `%dev.fw.http.port`, or `none` if the property is active in all
   * profiles.
   */
  readonly profile: O.Option<string>
  readonly name: string
  readonly value: string
  /** The number of the line on which the property starts. Line numbers start at 1. */
  readonly line: number
}

/**
 * Matches a logical line: a line that is not a comment, together with its continuation lines. A line continues on the next line if
 * its line break is escaped.
 */
const logicalLine = /(?<![^\r\n])[ \t\f]*(?![ \t\f#!])((?:\\(?:\r\n|[^])|[^\\\r\n])+)/g

const continuation = /\\(?:(?:\r\n|[\r\n])[ \t\f]*|([^]))/g

const joinLines = (logical: string): string =>
  logical.replace(continuation, (escape: string, other?: string) =>
    other === undefined ? '' : escape,
  )

/** Matches a line in which each `\u` is followed by four hexadecimal digits. */
const wellFormed = /^(?:[^\\]|\\u[0-9a-fA-F]{4}|\\[^u])*$/

const controlCharacters = new Map(Object.entries({ t: '\t', n: '\n', r: '\r', f: '\f' }))

const unescape = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, hex?: string, letter = '') =>
    hex === undefined
      ? (controlCharacters.get(letter) ?? letter)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  )

const keyAndValue = /^((?:\\[^]|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*([^]*)$/

const parseProperty = (logical: string, line: number): FileProperty => {
  const [, key = '', value = ''] = keyAndValue.exec(logical) ?? []
  const [, profile, name = unescape(key)] = /^%([^.]+)\.([^]+)$/.exec(unescape(key)) ?? []
  return { profile: O.fromNullable(profile), name, value: unescape(value), line }
}

/**
 * Parses a `.properties` file. Returns the properties in `right` and the numbers of malformed lines in `left`. A line is malformed
 * if it contains a `\u` that is not followed by four hexadecimal digits.
 *
 * ```text
 * line    = blanks ( comment / [ key [ blanks ( "=" / ":" ) blanks / 1*blank ] value ] )
 * comment = ( "#" / "!" ) *char
 * key     = *( escape / any char but "=", ":" and blank )
 * value   = *( escape / char )
 * escape  = "\" ( "t" / "n" / "r" / "f" / "u" 4HEXDIG / line break with the blanks after it / char )
 * blank   = SP / HTAB / FF
 * ```
 */
export const parseProperties = (
  text: string,
): Separated<ReadonlyArray<number>, ReadonlyArray<FileProperty>> => {
  const lines = Array.from(text.matchAll(logicalLine), ({ index, 1: logical = '' }) => ({
    line: text.slice(0, index).split(/\r\n|[\r\n]/).length,
    logical: joinLines(logical),
  }))
  return {
    left: lines.filter(({ logical }) => !wellFormed.test(logical)).map(({ line }) => line),
    right: lines
      .filter(({ logical }) => wellFormed.test(logical))
      .map(({ logical, line }) => parseProperty(logical, line)),
  }
}

/** The environment variable that selects the profile. It does not set a property. */
export const profileVariable = 'FW_PROFILE'

/**
 * Returns the name of the environment variable for a property, such as `FW_HTTP_LIMITS_MAX_BODY_SIZE` for
 * `fw.http.limits.max-body-size`.
 */
export const variableName = (name: string): string =>
  name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()

/**
 * Returns the environment variable names for a property, in order of precedence. The exact property name comes first, followed by
 * the upper-case name. Most shells cannot set a variable whose name contains a dot, but other programs can.
 *
 * If the property name contains no dot, only the exact name is used. Without this rule, the `path` property would be read from
 * `PATH`.
 */
export const variableNames = (name: string): ReadonlyArray<string> =>
  name.includes('.') ? [name, variableName(name)] : [name]

/**
 * Returns the log category whose level an environment variable sets. The result is in lower case, such as `access` for
 * `FW_LOG_CATEGORY_ACCESS_LEVEL`. Each quotation mark around the category in the setting name can be written as an additional
 * underscore.
 */
const variableCategory = (variable: string): string | undefined =>
  /^FW_LOG_CATEGORY_+([A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)_+LEVEL$/.exec(variable)?.[1]?.toLowerCase()

/**
 * Creates a source from the properties in a file. Properties for the active profile take precedence over properties without a
 * profile. Within each of these groups, later lines take precedence.
 */
export const propertiesSource = (
  file: string,
  profile: string,
  all: ReadonlyArray<FileProperty>,
): SettingSource => {
  const entry = ({ name, value, line }: FileProperty): SourceEntry => ({
    name,
    value,
    text: value,
    literal: false,
    origin: `${file}, line ${line}`,
  })
  const active = [
    ...all.filter((property) => O.isNone(property.profile)),
    ...all.filter((property) => O.exists((name) => name === profile)(property.profile)),
  ]
  return createSource(all.map(entry), { active: active.map(entry) })
}

const settingCategory = (name: string): string | undefined =>
  Level.categoryOf(name) ?? variableCategory(name)

/**
 * Returns the possible spellings of a property name. In a log level setting, the category can be written with or without quotes.
 */
const spellings = (property: string): ReadonlyArray<string> => {
  const category = Level.categoryOf(property)
  return category === undefined ? [property] : [property, `fw.log.category.${category}.level`]
}

/**
 * Creates a source from environment variables. Expressions are resolved only in variables whose names are reserved for settings.
 */
export const environmentSource = (
  environment: Readonly<Record<string, string | undefined>>,
  origin: (variable: string) => string,
): SettingSource => {
  const entries = Object.entries(environment).flatMap(
    ([name, value]): ReadonlyArray<SourceEntry> => {
      const literal = !isReservedName(name)
      return value === undefined
        ? []
        : [{ name, value, text: value, literal, origin: origin(name) }]
    },
  )
  const find = createFinder(entries)
  return {
    entries: entries.filter(({ name }) => settingCategory(name) === undefined),
    levels: levelNames(entries, settingCategory),
    get settingNames() {
      return [profileVariable, ...Settings.settingNames.flatMap(variableNames)]
    },
    isReserved: isReservedName,
    find: (property) =>
      spellings(property).flatMap(variableNames).map(find).find(O.isSome) ?? O.none,
  }
}

/**
 * Creates a source that sets `fw.http.port` to the value of the variable `PORT`, which many hosting platforms set. An empty value is
 * ignored.
 */
export const portSource = (variable: O.Option<SourceEntry>): SettingSource =>
  createSource(
    O.isSome(variable) && variable.value.text !== ''
      ? [{ ...variable.value, name: 'fw.http.port' }]
      : [],
  )

/**
 * Creates a source from the variables in a `.env` file. The origin of a variable includes its line number if the line can be found.
 */
export const dotEnvSource = (file: string, text: string): SettingSource => {
  const starts = text.split(/\r\n|[\r\n]/).map((line) => (line.split('=')[0] ?? '').trim())
  return environmentSource(parseEnv(text), (variable) => {
    const start = variable.split('\n')[0]
    const index = starts.findLastIndex((name) => name.replace(/^export\s+/, '') === start)
    return index === -1 ? file : `${file}, line ${index + 1}`
  })
}

/**
 * Returns the line numbers of malformed lines in a `.env` file. Line numbers start at 1. A line is malformed if it is not blank and
 * contains neither a variable nor a comment. Lines within quotes belong to the variable whose value is quoted.
 *
 * Some versions of Node.js ignore malformed lines, and others prepend them to the next name.
 */
export const malformedLines = (text: string): ReadonlyArray<number> =>
  text
    .replaceAll(/(=[ \t]*)(["'`])([\s\S]*?)\2/g, (_, before: string, _mark, inner: string) =>
      before.concat(inner.replaceAll(/[^\r\n]/g, '')),
    )
    .split(/\r\n|[\r\n]/)
    .flatMap((line, index) => (/^\s*(?:#|$)|=/.test(line) ? [] : [index + 1]))
