/**
 * The settings as the engine reads them. Where values come from is no concern of this module: see `node/settings/load-settings.ts`.
 */
import { interpretedBackEnd } from '../../codec/generated/interpreted/interpreted-back-end.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { fastestBackEnd } from '../../codec/generated/select-back-end.ts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { LevelSetting, LogLevels } from './log-level.ts'
import { categoryOf, logLevel } from './log-level.ts'
import { settingsTable } from './settings-table.ts'

export { settingsTable } from './settings-table.ts'

export type SettingName = keyof typeof settingsTable

type Tabled = { readonly [N in SettingName]: t.TypeOf<(typeof settingsTable)[N]> }

/** The settings of the table, and the levels of as many categories as have one. */
export type Settings = Tabled & LogLevels

/** Settings as a program gives them: some, each as text or typed. `undefined` counts as not given. */
export type SettingsInput = { readonly [N in SettingName]?: Tabled[N] | string | undefined } & {
  readonly [name: LevelSetting]: string | undefined
}

export const isSettingName = (name: string): name is SettingName =>
  Object.hasOwn(settingsTable, name)

/** All names, in the order of the table. */
export const settingNames: ReadonlyArray<SettingName> =
  Object.keys(settingsTable).filter(isSettingName)

/** A setting with a value that it cannot have. */
export interface InvalidSetting {
  readonly name: string
  /** What it can have, as a noun phrase. */
  readonly expected: string
}

const codec = t.strict(settingsTable)

/** Decodes values given as text or typed; what is absent has its default, other names are dropped. Every refusal is listed. */
export const readSettings = (
  values: Readonly<Record<string, unknown>>,
): E.Either<ReadonlyArray<InvalidSetting>, Settings> => {
  const tabled = pipe(codec.decode(values), E.mapLeft(refusals))
  const levels = pipe(readLevels(values), E.mapLeft(refusals))
  if (E.isRight(tabled) && E.isRight(levels)) return E.right({ ...tabled.right, ...levels.right })
  return E.left([tabled, levels].flatMap((one) => (E.isLeft(one) ? one.left : [])))
}

/** The levels of the categories that have one. */
const readLevels = (values: Readonly<Record<string, unknown>>): t.Validation<LogLevels> => {
  const said = Object.keys(values).filter(
    (name) => categoryOf(name) !== undefined && values[name] !== undefined,
  )
  return t.strict(Object.fromEntries(said.map((name) => [name, logLevel]))).decode(values)
}

const refusals = (errors: t.Errors): ReadonlyArray<InvalidSetting> =>
  errors.flatMap(({ context }) =>
    context.slice(1, 2).map(({ key, type }) => ({ name: key, expected: type.name })),
  )

/** What every setting is when nothing is said, in the profile `prod`. */
export const defaultSettings: Settings = pipe(
  readSettings({}),
  E.getOrElse((refused): Settings => {
    throw new TypeError(`defaults that their own codecs refuse: ${JSON.stringify(refused)}`)
  }),
)

/** What a profile changes about the defaults: who develops or tests is not seen from outside the machine. */
export const profileDefaults = (profile: string): SettingsInput =>
  profile === 'dev' || profile === 'test' ? { 'fw.http.host': 'localhost' } : {}

type Choice = Pick<Settings, 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'>

export const codecBackEnd = (settings: Choice): BackEnd =>
  settings['fw.rest.jsonlib.optimization.enable-reflection-free-serializers']
    ? fastestBackEnd()
    : interpretedBackEnd
