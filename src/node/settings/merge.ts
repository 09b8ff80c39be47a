/**
 * What a list of sources comes to: the later one wins, expressions are resolved, and settings decoded.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as Eq from 'fp-ts/lib/Eq.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as R from 'fp-ts/lib/Record.js'
import * as S from 'fp-ts/lib/string.js'
import type { Mistake } from '../../interpreter/mistake.ts'
import * as Settings from '../../interpreter/settings.ts'
import * as Mistakes from './mistakes.ts'
import { resolve, type Fault, type Resolved } from './resolve.ts'
import type { Entry, Source } from './source.ts'

export interface Merged {
  /** On the left: unknown names, then refused values, then expressions without a value. */
  readonly settings: E.Either<ReadonlyArray<Mistake>, Settings.Settings>
  /** Who has said each setting. */
  readonly origins: Readonly<Record<Settings.Name, string>>
  /** The resolved text of any property, setting or variable. */
  readonly property: (name: string) => O.Option<string>
}

const sameFault: Eq.Eq<Fault> = Eq.contramap((fault: Fault) => JSON.stringify(fault))(S.Eq)

const lefts = <A>(either: E.Either<ReadonlyArray<A>, unknown>): ReadonlyArray<A> =>
  E.isLeft(either) ? either.left : []

const unknownSettings = (sources: ReadonlyArray<Source>): ReadonlyArray<Mistake> =>
  sources.flatMap(({ entries, known, claims }) =>
    entries
      .filter(({ name }) => claims(name) && !known.includes(name))
      .map(Mistakes.unknownSetting(known)),
  )

/** The names whose expressions have to have values: of all settings, and of the program's own properties. */
const checked = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  pipe(
    sources.flatMap(({ entries, claims }) =>
      entries.filter(({ name, literal }) => !literal && !claims(name)),
    ),
    RA.map(({ name }) => name),
    RA.concat<string>(Settings.names),
    RA.uniq(S.Eq),
  )

/** Merges sources, the later of which win; between them they have something for every setting. */
export const merge = (sources: ReadonlyArray<Source>): Merged => {
  const find: Source['find'] = (name) =>
    pipe(
      sources,
      RA.findLastMap((source) => source.find(name)),
    )
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
  const value = (name: string, entry: Entry): unknown =>
    typeof entry.value === 'string' ? O.toUndefined(property(name)) : entry.value

  const read = pipe(
    Settings.table,
    R.mapWithIndex((name) =>
      pipe(
        find(name),
        O.map((entry) => value(name, entry)),
        O.toUndefined,
      ),
    ),
    Settings.read,
  )
  const refused = (refusal: Settings.Refusal): O.Option<Mistake> =>
    pipe(
      find(refusal.name),
      O.map((entry) => Mistakes.refusedValue(refusal, entry, value(refusal.name, entry))),
    )
  const mistakes = [
    ...unknownSettings(sources),
    ...RA.filterMap(refused)(lefts(read)),
    ...pipe(
      checked(sources),
      RA.chain((name) => lefts(resolved(name))),
      RA.uniq(sameFault),
      RA.map(Mistakes.unresolved((name) => `${name} (from ${origin(name)})`)),
    ),
  ]
  return {
    settings: E.isRight(read) && mistakes.length === 0 ? read : E.left(mistakes),
    origins: R.mapWithIndex((name: Settings.Name) => origin(name))(Settings.table),
    property,
  }
}
