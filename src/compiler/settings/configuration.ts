/**
 * What a tree is compiled for, beside settings: the profile, and the properties of the application. Where they come from is
 * no concern of this module: see `node/settings/load-settings.ts`.
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from './settings.ts'
import { isSettingName, settingsTable } from './settings.ts'

export interface Configuration {
  /** `dev`, `test`, `prod` or a name of the application's own. */
  readonly profile: string
  /** The text of a property, a setting or an environment variable, its expressions resolved; `undefined` for what nobody set. */
  readonly property: (name: string) => string | undefined
}

/** The profile `prod`, and no properties but the settings. */
export const defaultConfiguration = (settings: Settings): Configuration => ({
  profile: 'prod',
  property: (name) =>
    isSettingName(name) ? O.toUndefined(settingsTable[name].text(settings[name])) : undefined,
})
