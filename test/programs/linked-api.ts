/** A route tree with links whose operations run on workers, in a module that workers can import. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { AttributeStep } from '../../src/endpoint/tree/tree-scope.ts'
import { addLinks, hal, halEntity } from '../../src/hal.ts'
import {
  blocking,
  get,
  handle,
  int,
  json,
  list,
  mapError,
  nonBlocking,
  path,
  prefix,
  produces,
  reply,
  responseFilter,
  routes,
  secureField,
  string,
  withFilter,
  withHeader,
  withMapper,
} from '../../src/index.ts'
import { injectLinks, linksOf, rel } from '../../src/links.ts'
import { currentThread } from '../support/executions.ts'
import { headerAuthentication } from '../support/secrets.ts'

/** The URL of this module. */
export const linkedModule: string = import.meta.url

export const Desk = t.type({ id: int, place: string, owner: secureField('chief')(string) }, 'Desk')
const desk = () => ({ id: 7, place: currentThread(), owner: 'OWNER' })
const desks = path('/desks')

export const Missing = t.type({ id: int }, 'Missing')

/** An exception mapper that adds links to a response header and to the entity. */
const mapper = mapError(RangeError, { fails: { 404: hal(Missing) } }, ({ message }, context) => {
  const links = linksOf(context).type(Desk)
  context.response.addHeader('X-Links', links.map(({ target }) => target).join())
  return reply(404, pipe(halEntity({ id: Number(message) }), addLinks(...links)))
})

const tree = routes({
  all: pipe(
    desks,
    get(),
    produces(json(list(Desk)), hal(list(Desk))),
    rel(),
    injectLinks(),
    handle(() => [desk()]),
  ),
  one: pipe(
    desks,
    get('/{id}', { id: int }),
    produces(json(Desk), hal(Desk)),
    rel(undefined, { title: 'Ein Tisch – ganz', type: 'application/hal+json' }),
    injectLinks('instance'),
    handle(({ path: { id } }) => {
      if (id !== 7) throw new RangeError(String(id))
      return desk()
    }),
  ),
  by: pipe(
    path('/owners/{owner}'),
    get(),
    rel('author', { entity: Desk }),
    handle(() => {}),
  ),
})

const mounted = (executed: AttributeStep) =>
  pipe(
    routes({ hall: pipe(tree, prefix('/hall')) }),
    executed,
    withMapper(mapper),
    withFilter(
      headerAuthentication,
      responseFilter((response, context) =>
        withHeader('X-Self', linksOf(context).instance(Desk, desk())[1]?.target ?? '')(response),
      ),
    ),
  )

export const api = mounted(blocking)

/** The same route tree on the event loop. */
export const nonBlockingApi = mounted(nonBlocking)
