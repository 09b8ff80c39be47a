/**
 * Generates an application for the type benchmark: four kinds of endpoints in equal parts, twenty per module. Each module
 * exports a route tree, and one tree contains them all.
 */

const perModule = 20

/** The endpoints of one kind, as functions from the name of the constant to its definition. @type {readonly ((name: string, n: number) => string)[]} */
const kinds = [
  // an item: path variables with and without codec, parameters with and without default, a failure as Left
  (name, n) => `export const ${name} = pipe(
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
  // a creation: a distinct body type, two failures, a response with Location
  (name, n) => `export const ${name} = pipe(
  path('/${name}'),
  post(),
  body(json(t.type({ a: t.string, b: t.number, c${n}: t.array(t.string) }))),
  responds(201, json(User)),
  fails(400, json(Bad)),
  fails(409, json(Missing)),
  handle(async ({ body }) => created('/x', { id: body.b, name: body.a, tags: body.c${n} })),
)`,
  // a deletion: 204, a failure as a reply
  (name) => `export const ${name} = pipe(
  path('/${name}/{id}', { id: int }),
  del(),
  responds(204),
  fails(404, json(Missing)),
  handle(async ({ path }) =>
    path.id > 9 ? reply(404, { _tag: 'Missing' as const, id: path.id }) : noContent,
  ),
)`,
  // a list: shared and additional query parameters, two representations
  (name, n) => `export const ${name} = pipe(
  path('/${name}'),
  get(),
  paging,
  query({ tag${n}: list(t.string), since: optional(number) }),
  produces(json(t.array(User)), as('application/vnd.users+json')(json(t.array(User)))),
  handle(async ({ query }) =>
    query.tag${n}.map((tag) => ({ id: query.page, name: tag, tags: [] })),
  ),
)`,
]

/** @type {(length: number) => readonly number[]} */
const upTo = (length) => [...Array(length).keys()]

/** @type {(library: string, m: number) => string} */
const moduleText = (library, m) => {
  const names = upTo(perModule).map((n) => `m${m}e${n}`)
  return `import * as t from 'io-ts'
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

${names.map((name, n) => kinds[n % kinds.length]?.(name, n)).join('\n\n')}

export const m${m} = routes({ ${names.join(', ')} })
`
}

/** Calls of the typed client, three in each module. @type {(client: string, modules: readonly number[]) => string} */
const callsText = (client, modules) => `
import type { Client } from '${client}'
declare const client: Client<TreeOf<typeof api>>
${modules
  .map(
    (m) => `export const m${m}calls = [
  client.m${m}.m${m}e0({ path: { id: 1, name: 'x' } }),
  client.m${m}.m${m}e1({ body: { a: '', b: 1, c1: [] } }),
  client.m${m}.m${m}e3({ query: { tag3: [] } }),
] as const`,
  )
  .join('\n')}
`

/**
 * Returns the files of an application, from name to text.
 *
 * @param {number} endpoints a multiple of twenty
 * @param {{ readonly library: string, readonly client: string }} imports the module specifiers of
 *   the library and of the client types
 * @returns {ReadonlyMap<string, string>}
 */
export const application = (endpoints, { library, client }) => {
  const modules = upTo(endpoints / perModule)
  const main = `import { pipe } from 'fp-ts/lib/function.js'
import { prefix, routes, type TreeOf } from '${library}'
${modules.map((m) => `import { m${m} } from './m${m}.ts'`).join('\n')}

export const api = pipe(routes({ ${modules.map((m) => `m${m}`).join(', ')} }), prefix('/api'))
export interface Api extends TreeOf<typeof api> {}
${callsText(client, modules)}`
  return new Map([
    ...modules.map((m) => /** @type {const} */ ([`m${m}.ts`, moduleText(library, m)])),
    ['main.ts', main],
  ])
}
