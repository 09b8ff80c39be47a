/** Reads the parameters of an operation from the head of a request: all of them, with everything that is wrong. */
import * as E from 'fp-ts/lib/Either.js'
import * as Cookie from '../http/cookie.ts'
import type { Fault } from '../http/failure.ts'
import * as Form from '../http/form.ts'
import * as Headers from '../http/headers.ts'
import * as Path from '../http/path.ts'
import * as Percent from '../http/percent.ts'
import type { Exchange } from './exchange.ts'
import type { Capture } from './matcher.ts'
import type { DecodeParameter, Texts } from './parameter.ts'
import { decodeParameter } from './parameter.ts'
import type { ParameterPlan, Plan } from './plan.ts'
import type { Settings } from './settings.ts'

/** Where parameters come from. */
export interface Source {
  readonly exchange: Pick<Exchange, 'path' | 'query' | 'headers'>
  readonly captures: ReadonlyArray<Capture>
}

/** Reads a part of a handler's input, or says what is wrong with it. */
export type Read<A, B = Readonly<Record<string, unknown>>> = (
  from: A,
) => E.Either<ReadonlyArray<Fault>, B>

/** Finds the texts of one parameter after another in what a group was split into. */
type Lookup = (parameter: ParameterPlan) => Texts

/** Prepares reading what a plan declares; nothing else is looked for. */
export const readParameters = (plan: Plan, settings: Settings): Read<Source> => {
  const { path, query, header, cookie, matrix } = plan.parameters
  const most = settings['fw.http.limits.max-parameters']
  const groups: ReadonlyArray<readonly [key: string, read: Read<Source, unknown>]> = [
    ['path', path, fromPath(plan)] as const,
    [
      'query',
      query,
      ({ exchange }: Source) =>
        bounded('query', Form.split(exchange.query ?? ''), Form.decode, most),
    ] as const,
    ['header', header, fromHeaders] as const,
    ['cookie', cookie, ({ exchange }: Source) => fromCookies(exchange.headers, most)] as const,
    [
      'matrix',
      matrix,
      ({ exchange }: Source) =>
        bounded('matrix', Path.matrix(Path.split(exchange.path) ?? []), Percent.decode, most),
    ] as const,
  ]
    .filter(([, parameters]) => parameters.length > 0)
    .map(([key, parameters, lookup]) => [key, readGroup(parameters, lookup, settings)])
  const readers = plan.queryMap ? [...groups, ['queryMap', readQueryMap(most)] as const] : groups
  return (source) => {
    const input: Record<string, unknown> = {}
    const faults: Fault[] = []
    for (const [key, read] of readers) {
      const result = read(source)
      if (E.isRight(result)) input[key] = result.right
      else faults.push(...result.left)
    }
    return faults.length === 0 ? E.right(input) : E.left(faults)
  }
}

/** Prepares reading a group: its texts are found once, and every parameter is decoded. */
export const readGroup = <A>(
  parameters: ReadonlyArray<ParameterPlan>,
  lookup: (from: A) => Lookup | Fault,
  settings: Settings,
): Read<A> => {
  const once = settings['fw.rest.duplicate-scalar'] === 'reject'
  const decoders = parameters.map((parameter): readonly [ParameterPlan, DecodeParameter] => [
    parameter,
    decodeParameter(parameter, once),
  ])
  return (from) => {
    const textsOf = lookup(from)
    if (typeof textsOf !== 'function') return E.left([textsOf])
    const values: Record<string, unknown> = {}
    const faults: Fault[] = []
    for (const [parameter, decode] of decoders) {
      const result = decode(textsOf(parameter))
      if (E.isRight(result)) values[parameter.key] = result.right
      else faults.push(result.left)
    }
    return faults.length === 0 ? E.right(values) : E.left(faults)
  }
}

const fromPath = ({ pattern }: Plan): ((source: Source) => Lookup) => {
  const positions = new Map(pattern.names.map((name, position) => [name, position]))
  return ({ captures }) =>
    ({ key, shape }) => {
      const capture = captures[positions.get(key) ?? -1]
      if (capture === undefined) return []
      if (shape.many) return shape.encoded ? capture.rawSegments : capture.segments
      return [shape.encoded ? capture.raw : capture.text]
    }
}

const fromHeaders =
  ({ exchange }: Source): Lookup =>
  ({ name }) =>
    Headers.all(exchange.headers, name)

const fromCookies = (headers: Headers.Headers, most: number): Lookup | Fault => {
  const cookies = Cookie.parse(Headers.all(headers, 'cookie').join('; '))
  return cookies.size > most ? tooMany('cookie', most) : ({ name }) => cookies.get(name) ?? []
}

/** {@link fromPairs}, unless there are too many. */
const bounded = (
  group: Fault['in'],
  pairs: ReadonlyArray<Form.Pair>,
  decode: Decode,
  most: number,
): Lookup | Fault => (pairs.length > most ? tooMany(group, most) : fromPairs(pairs, decode))

type Decode = (text: string) => string | undefined

/** Finds names and values that were split but not decoded. */
export const fromPairs =
  (pairs: ReadonlyArray<Form.Pair>, decode: Decode): Lookup =>
  ({ name, shape }) => {
    const texts: string[] = []
    for (const [rawName, rawValue] of pairs) {
      if (rawName !== name && decode(rawName) !== name) continue
      const text = rawValue === undefined ? shape.bare : shape.encoded ? rawValue : decode(rawValue)
      if (text === undefined) return undefined
      texts.push(text)
    }
    return texts
  }

const readQueryMap =
  (most: number): Read<Source, unknown> =>
  ({ exchange }) => {
    const pairs = Form.split(exchange.query ?? '')
    if (pairs.length > most) return E.left([tooMany('query', most)])
    const values = Form.gather(pairs)
    return values === undefined
      ? E.left([{ in: 'query', detail: 'has a malformed percent-escape' }])
      : E.right(values)
  }

const tooMany = (group: Fault['in'], most: number): Fault => ({
  in: group,
  detail: `has more than ${most} parameters (fw.http.limits.max-parameters)`,
})
