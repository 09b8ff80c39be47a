/** Loads settings from the options of a program only. Neither files nor environment variables are read. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { memoizeHeader } from '../http/headers.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import { mergeSources } from '../compiler/settings/merge-sources.ts'
import type { Configuration } from '../compiler/settings/resolve-expressions.ts'
import type { ApplicationProperties } from '../compiler/settings/setting-source.ts'
import * as Source from '../compiler/settings/setting-source.ts'
import type { Settings, SettingsInput } from '../compiler/settings/settings.ts'
import { ConfigurationError } from '../endpoint/definition/configuration-error.ts'

/** Settings by name, and additional options. Configuration files and environment variables are not read. */
export interface ProgramOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name, available through `context.application.property` and in conditions. */
  readonly properties?: ApplicationProperties
  /** The logger. By default, nothing is logged. */
  readonly logger?: Logger
}

/** The configuration of a program, and its settings. */
export interface ConfiguredProgram extends Configuration {
  readonly settings: Settings
}

/** Decodes the settings in the options of a program. Throws a `ConfigurationError` that lists every error found. */
export const programSettings = ({
  profile = 'prod',
  properties = {},
  logger: _logger,
  ...input
}: ProgramOptions): ConfiguredProgram => {
  const { settings, property } = mergeSources([
    Source.defaultSource(profile),
    Source.applicationPropertiesSource(properties),
    Source.optionsSource(input),
  ])
  if (E.isLeft(settings)) throw new ConfigurationError(settings.left)
  return {
    settings: settings.right,
    profile,
    isProfileDefined: ['dev', 'test', 'prod'].includes(profile),
    property: memoizeHeader((name = '') => O.toUndefined(property(name))),
  }
}
