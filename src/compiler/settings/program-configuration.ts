/** Decodes the settings and properties that a program contains, without files and environment variables. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { memoizeHeader } from '../../http/headers.ts'
import { ConfigurationError } from '../../endpoint/definition/configuration-error.ts'
import { mergeSources } from './merge-sources.ts'
import type { Configuration } from './resolve-expressions.ts'
import type { ApplicationProperties } from './setting-source.ts'
import { applicationPropertiesSource, defaultSource, optionsSource } from './setting-source.ts'
import type { Settings, SettingsInput } from './settings.ts'

/** The settings and properties that a program contains. */
export interface ProgramSettings {
  /** Settings by name. Default: the default settings. */
  readonly settings?: SettingsInput
  /** The profile in which conditions are evaluated. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name. Their values can contain expressions. */
  readonly properties?: ApplicationProperties
}

/** Decoded settings, and the profile and properties with which conditions are evaluated. */
export interface ProgramConfiguration extends Configuration {
  readonly settings: Settings
}

/** Decodes settings. Throws a `ConfigurationError` that lists unknown names, invalid values and unresolvable expressions. */
export const programConfiguration = ({
  settings: input = {},
  profile = 'prod',
  properties = {},
}: ProgramSettings): ProgramConfiguration => {
  const { settings, property } = mergeSources([
    defaultSource(profile),
    applicationPropertiesSource(properties),
    optionsSource(input),
  ])
  if (E.isLeft(settings)) throw new ConfigurationError(settings.left)
  return {
    settings: settings.right,
    profile,
    property: memoizeHeader((name = '') => O.toUndefined(property(name))),
  }
}
