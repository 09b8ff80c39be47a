/**
 * What a list of sources comes to: the later one wins, expressions are resolved, and settings decoded.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import { remember } from '../../body/memoize-header.ts'
import { resolve, type Fault, type Resolved } from '../../compiler/settings/resolve-expressions.ts'
import * as Settings from '../../compiler/settings/settings.ts'
import * as Mistakes from './setting-errors.ts'
import type { SourceEntry, SettingSource } from './setting-source.ts'

export interface MergedSettings {
  /** On the left: unknown names, then refused values, then expressions without a value. */
  readonly settings: E.Either<ReadonlyArray<Mistake>, Settings.Settings>
  /** Who has said each setting. */
  readonly origin: (setting: string) => string
  /** The resolved text of any property, setting or variable. */
  readonly property: (name: string) => O.Option<string>
}

/** Each fault once, where it is met first. */
const distinct = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => [
  ...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values(),
]

const lefts = <A>(either: E.Either<ReadonlyArray<A>, unknown>): ReadonlyArray<A> =>
  E.isLeft(either) ? either.left : []

const unknownSettings = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<Mistake> =>
  sources.flatMap((source) => {
    const claimed = source.entries.filter(({ name }) => source.claims(name))
    if (claimed.length === 0) return []
    const { known } = source
    return claimed.filter(({ name }) => !known.includes(name)).map(Mistakes.unknownSetting(known))
  })

/** The names of all settings: those of the table, and the levels of categories that some source says. */
const settingNames = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<string> => [
  ...Settings.names,
  ...new Set(sources.flatMap(({ levels }) => levels)),
]

/** The names whose expressions have to have values: of all settings, and of the program's own properties. */
const checked = (sources: ReadonlyArray<SettingSource>): ReadonlyArray<string> => {
  const own = sources.flatMap(({ entries, claims }) =>
    entries.filter(({ name, literal }) => !literal && !claims(name)),
  )
  return [...new Set([...own.map(({ name }) => name), ...settingNames(sources)])]
}

const nearest = (sources: ReadonlyArray<SettingSource>, name: string): O.Option<SourceEntry> => {
  for (let at = sources.length - 1; at >= 0; at--) {
    const found = sources[at]?.find(name) ?? O.none
    if (O.isSome(found)) return found
  }
  return O.none
}

/** Merges sources, the later of which win; between them they have something for every setting. */
export const mergeSources = (sources: ReadonlyArray<SettingSource>): MergedSettings => {
  // each setting is looked for when it is read, when its expressions are checked and when somebody asks who has said it
  const find: SettingSource['find'] = remember((name = '') => nearest(sources, name))
  const origin = (name: string): string =>
    pipe(
      find(name),
      O.match(
        () => 'nowhere',
        (entry) => entry.origin,
      ),
    )
  const resolved = (name: string): Resolved =>
    pipe(
      find(name),
      O.match(() => E.left([]), resolve(find)(name)),
    )
  const property = (name: string): O.Option<string> => O.fromEither(resolved(name))
  /** What a program gives is decoded as it is; text that cannot be resolved counts as not said. */
  const value = (name: string, entry: SourceEntry): unknown =>
    typeof entry.value === 'string' ? O.toUndefined(property(name)) : entry.value

  /** What is not text holds no expression. */
  const faults = (name: string): ReadonlyArray<Fault> => {
    const found = find(name)
    return O.isSome(found) && found.value.literal ? [] : lefts(resolved(name))
  }
  const said = (name: string): unknown =>
    pipe(
      find(name),
      O.map((entry) => value(name, entry)),
      O.toUndefined,
    )
  const read = Settings.read(
    Object.fromEntries(settingNames(sources).map((name) => [name, said(name)])),
  )
  const refused = (refusal: Settings.Refusal): ReadonlyArray<Mistake> =>
    pipe(
      find(refusal.name),
      O.match(
        () => [],
        (entry) => [Mistakes.invalidValue(refusal, entry, value(refusal.name, entry))],
      ),
    )
  const mistakes = [
    ...unknownSettings(sources),
    ...lefts(read).flatMap(refused),
    ...distinct(checked(sources).flatMap(faults)).map(
      Mistakes.unresolved((name) => `${name} (from ${origin(name)})`),
    ),
  ]
  return {
    settings: E.isRight(read) && mistakes.length === 0 ? read : E.left(mistakes),
    origin,
    property,
  }
}
