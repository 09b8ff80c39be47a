/**
 * Generates an application for the type benchmark: four kinds of endpoints in equal parts, twenty per module. Each module
 * exports a route tree, and one tree contains them all.
 */

const perModule = 20

/**
 * @typedef {object} Kind
 * @property {(name: string, n: number) => string} definition the definition of a constant
 * @property {(n: number) => string} input the input of a call through the client
 */

/** The kinds of endpoints. @type {readonly Kind[]} */
const kinds = [
  // an item: path variables with and without codec, parameters with and without default, a failure as Left
  {
    definition: (name, n) => `export const ${name} = pipe(
  path('/${name}/{id}', { id: int }),
  get('/{name:[a-z]+}'),
  query({ page: withDefault(int, 1), size: withDefault(int, 20), q: optional(t.string) }),
  header({ 'x-trace': optional(t.string) }),
  produces(json(User)),
  fails(404, json(Missing)),
  cache({ maxAge: ${n} }),
  handle(({ path, query }) =>
    path.id > 9
      ? TE.left({ _tag: 'Missing' as const, id: path.id })
      : TE.right({ id: path.id + query.page, name: path.name + (query.q ?? ''), tags: [] }),
  ),
)`,
    input: () => `{ path: { id: 1, name: 'x' } }`,
  },
  // a creation: a distinct body type, two failures, a response with Location
  {
    definition: (name, n) => `export const ${name} = pipe(
  path('/${name}'),
  post(),
  body(json(t.type({ a: t.string, b: t.number, c${n}: t.array(t.string) }))),
  responds(201, json(User)),
  fails(400, json(Bad)),
  fails(409, json(Missing)),
  handle(async ({ body }) => created('/x', { id: body.b, name: body.a, tags: body.c${n} })),
)`,
    input: (n) => `{ body: { a: '', b: 1, c${n}: [] } }`,
  },
  // a deletion: 204, a failure as a reply
  {
    definition: (name) => `export const ${name} = pipe(
  path('/${name}/{id}', { id: int }),
  del(),
  responds(204),
  fails(404, json(Missing)),
  handle(async ({ path }) =>
    path.id > 9 ? reply(404, { _tag: 'Missing' as const, id: path.id }) : noContent,
  ),
)`,
    input: () => '{ path: { id: 1 } }',
  },
  // a list: shared and additional query parameters, two representations
  {
    definition: (name, n) => `export const ${name} = pipe(
  path('/${name}'),
  get(),
  paging,
  query({ tag${n}: list(t.string), since: optional(number) }),
  produces(json(t.array(User)), as('application/vnd.users+json')(json(t.array(User)))),
  handle(async ({ query }) =>
    query.tag${n}.map((tag) => ({ id: query.page, name: tag, tags: [] })),
  ),
)`,
    input: (n) => `{ query: { tag${n}: [] } }`,
  },
]

/** @type {(length: number) => readonly number[]} */
const upTo = (length) => [...Array(length).keys()]

/** @type {(m: number) => readonly string[]} */
const namesIn = (m) => upTo(perModule).map((n) => `m${m}e${n}`)

/** @type {(n: number) => Kind} */
const kindOf = (n) => /** @type {Kind} */ (kinds[n % kinds.length])

/** The imports and codecs of a module. @type {(library: string, isNamed?: boolean) => string} */
const headText = (
  library,
  isNamed = false,
) => `${isNamed ? `import type { Routes, TreeOf } from '${library}'\n` : ''}import * as t from 'io-ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  path, get, post, del, query, header, body, produces, responds, fails, cache, handle, routes,
  json, as, int, number, optional, withDefault, list, created, reply, noContent,
} from '${library}'

const User = t.type({ id: t.number, name: t.string, tags: t.array(t.string) })
const Missing = t.type({ _tag: t.literal('Missing'), id: t.number })
const Bad = t.type({ _tag: t.literal('Bad'), why: t.string })
const paging = query({ page: withDefault(int, 1), size: withDefault(int, 20) })
`

/** The endpoints of a module, and its tree. @type {(m: number, isNamed?: boolean) => string} */
const endpointsText = (m, isNamed = false) => `
${namesIn(m)
  .map((name, n) => kindOf(n).definition(name, n))
  .join('\n\n')}

${isNamed ? 'const tree' : `export const m${m}`} = routes({ ${namesIn(m).join(', ')} })
${isNamed ? `export interface M${m} extends TreeOf<typeof tree> {}\nexport const m${m}: Routes<M${m}> = tree` : ''}
`

/** Calls of three operations in each module. @type {(modules: readonly number[]) => string} */
const someCalls = (modules) =>
  modules
    .map(
      (m) => `export const m${m}calls = [
${[0, 1, 3].map((n) => `  client.m${m}.m${m}e${n}(${kindOf(n).input(n)}),`).join('\n')}
] as const`,
    )
    .join('\n')

/** Calls of all operations, whose results are read. @type {(modules: readonly number[]) => string} */
const allCalls = (modules) =>
  modules
    .flatMap((m) =>
      namesIn(m).map(
        (name, n) => `export const ${name} = async () => {
  const result = await client.m${m}.${name}(${kindOf(n).input(n)})()
  return result._tag === 'Right' ? result.right.body : result.left
}`,
      ),
    )
    .join('\n')

/**
 * Returns the files of an application, from name to text.
 *
 * @param {number} endpoints a multiple of twenty
 * @param {{ readonly library: string, readonly client: string }} imports the module specifiers of
 *   the library and of the client types
 * @param {'some' | 'all'} called the operations that are called through the typed client
 * @param {boolean} isNamed whether each module names the type of its tree
 * @returns {ReadonlyMap<string, string>}
 */
export const application = (endpoints, { library, client }, called = 'some', isNamed = false) => {
  const modules = upTo(endpoints / perModule)
  const main = `import { pipe } from 'fp-ts/lib/function.js'
import { prefix, routes, type TreeOf } from '${library}'
${modules.map((m) => `import { m${m} } from './m${m}.ts'`).join('\n')}

export const api = pipe(routes({ ${modules.map((m) => `m${m}`).join(', ')} }), prefix('/api'))
export interface Api extends TreeOf<typeof api> {}

import type { Client } from '${client}'
declare const client: Client<TreeOf<typeof api>>
${called === 'all' ? allCalls(modules) : someCalls(modules)}
`
  return new Map([
    ...modules.map(
      (m) =>
        /** @type {const} */ ([`m${m}.ts`, headText(library, isNamed) + endpointsText(m, isNamed)]),
    ),
    ['main.ts', main],
  ])
}

/** Returns a module that contains all endpoints. @type {(endpoints: number, library: string) => string} */
export const singleModule = (endpoints, library) =>
  headText(library) +
  upTo(endpoints / perModule)
    .map((m) => endpointsText(m))
    .join('')
