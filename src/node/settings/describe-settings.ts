/** Prints the settings with their values and origins as a table. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { categoryOf, levelSetting } from '../../compiler/settings/log-level.ts'
import { isSecret, mask } from '../../compiler/settings/setting.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import type { LoadedSettings } from './load-settings.ts'

type Row = readonly [name: string, value: string, origin: string]

const row =
  ({ settings, origin }: LoadedSettings) =>
  (name: Settings.SettingName): Row => [
    name,
    isSecret(name)
      ? mask
      : pipe(
          Settings.settingsTable[name].text(settings[name]),
          O.getOrElse(() => ''),
        ),
    origin(name),
  ]

/** The configured levels of log categories. */
const levels = ({ settings, origin }: LoadedSettings): ReadonlyArray<Row> =>
  Object.keys(settings).flatMap((name): ReadonlyArray<Row> => {
    const category = categoryOf(name)
    if (category === undefined) return []
    const setting = levelSetting(category)
    return [[setting, settings[setting] ?? '', origin(setting)]]
  })

/** Maximum width of the value column. Longer values exceed it. */
const maxWidth = 20

/**
 * Returns one line per setting: its name, its value in the syntax of a file, and its origin. The settings are in the order of the table,
 * followed by the levels of log categories. Secrets are masked as `***`.
 */
export const describeSettings = (loaded: LoadedSettings): string => {
  const rows = [...Settings.settingNames.map(row(loaded)), ...levels(loaded)]
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  const valueWidth = Math.max(
    ...rows.map(([, value]) => (value.length > maxWidth ? 0 : value.length)),
  )
  return rows
    .map(([name, value, origin]) =>
      [name.padEnd(nameWidth), value.padEnd(valueWidth), origin].join('  '),
    )
    .join('\n')
}
