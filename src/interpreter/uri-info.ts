/** What a context tells of the URI of the request. */
import type { UriInfo } from '../endpoint/context.ts'
import * as Form from '../http/form.ts'
import * as Path from '../http/path.ts'
import * as Percent from '../http/percent.ts'
import type { Call } from './call.ts'

/** Built at the first touch, and each part of it when it is asked for. */
export const uriInfo = (call: Call): UriInfo => {
  const { exchange, program } = call
  const { path, query } = exchange
  const root = program.settings['fw.rest.path']
  const below = root.endsWith('/') ? root : `${root}/`
  const base = (): URL => new URL(below, exchange.origin())
  const absolute = (): URL => new URL(`${exchange.origin()}${path}`)
  return {
    get base() {
      return base()
    },
    get absolute() {
      return absolute()
    },
    get request() {
      return new URL(`${exchange.origin()}${path}${query === undefined ? '' : `?${query}`}`)
    },
    path: path.startsWith(below) ? path.slice(below.length) : path.slice(1),
    get pathParameters() {
      const names = call.operation?.plan.pattern.names ?? []
      return new Map(names.map((name, index) => [name, call.captures[index]?.text ?? '']))
    },
    get queryParameters() {
      return gathered(Form.split(query ?? ''), Form.decode)
    },
    get matrixParameters() {
      return gathered(Path.matrix(Path.split(path) ?? []), Percent.decode)
    },
    resolve: (reference) => new URL(reference, base()),
  }
}

/** All values of each name; what cannot be decoded stays as it was sent. */
const gathered = (
  pairs: ReadonlyArray<Form.Pair>,
  decode: (text: string) => string | undefined,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, ReadonlyArray<string>>()
  for (const [name, value = ''] of pairs) {
    const key = decode(name) ?? name
    values.set(key, [...(values.get(key) ?? []), decode(value) ?? value])
  }
  return values
}
