/**
 * Settings as a table for a reader: what each is, and who has said so.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { categoryOf, levelName } from '../../compiler/settings/log-level.ts'
import { isSecret, mask } from '../../compiler/settings/secret.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import type { LoadedSettings } from './load-settings.ts'

type Row = readonly [name: string, value: string, origin: string]

const row =
  ({ settings, origin }: LoadedSettings) =>
  (name: Settings.Name): Row => [
    name,
    isSecret(name)
      ? mask
      : pipe(
          Settings.table[name].text(settings[name]),
          O.getOrElse(() => ''),
        ),
    origin(name),
  ]

/** The levels of categories that somebody has said. */
const levels = ({ settings, origin }: LoadedSettings): ReadonlyArray<Row> =>
  Object.keys(settings).flatMap((name): ReadonlyArray<Row> => {
    const category = categoryOf(name)
    if (category === undefined) return []
    const setting = levelName(category)
    return [[setting, settings[setting] ?? '', origin(setting)]]
  })

/** Characters of a value that a column is made for; the few that are longer stand out of it. */
const widest = 20

/** One line a setting, in the order of the table, the levels of categories behind it: name, value as a file would have it, origin. Secrets show as `***`. */
export const describeSettings = (loaded: LoadedSettings): string => {
  const rows = [...Settings.names.map(row(loaded)), ...levels(loaded)]
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  const valueWidth = Math.max(
    ...rows.map(([, value]) => (value.length > widest ? 0 : value.length)),
  )
  return rows
    .map(([name, value, origin]) =>
      [name.padEnd(nameWidth), value.padEnd(valueWidth), origin].join('  '),
    )
    .join('\n')
}
