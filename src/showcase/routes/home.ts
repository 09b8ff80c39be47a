/** The home resource, which links to the other resources, and some demo operations. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  get,
  handle,
  path,
  produces,
  routes,
  cookie,
  form,
  header,
  int,
  matrix,
  optional,
  post,
  query,
  string,
  text,
  summary,
  tags,
} from 'espalier'
import { addLinks, hal, halEntity } from 'espalier/hal'
import { linksOf } from 'espalier/links'
import { Book } from '../domain/book.ts'
import { Member } from './members.ts'
import { Loan } from '../domain/lending.ts'

const Home = t.type({ library: t.string }, 'Home')

export const openHome = pipe(
  path('/'),
  get(),
  summary('Get links to all resources'),
  produces(hal(Home)),
  handle((_, context) => {
    const listsOf = (codec: t.Mixed, rel: string) =>
      linksOf(context)
        .type(codec)
        .filter((link) => link.rel === 'list')
        .map(({ target }) => ({ rel, target }))
    return pipe(
      halEntity({ library: 'a lending library' }),
      addLinks(...listsOf(Book, 'books'), ...listsOf(Loan, 'loans'), ...listsOf(Member, 'members')),
    )
  }),
)

export const homeRoutes = pipe(
  routes({ openHome }),
  tags({ name: 'home', description: 'The entry point' }),
)

const hello = pipe(path('/demo/hello'), produces(text))

export const sayHello = pipe(
  hello,
  get(),
  summary('Respond with a fixed text'),
  handle(() => 'Hello'),
)

export const sayEverything = pipe(
  hello,
  post('/{name}/{age:\\d+}', { age: int }),
  summary('Respond with all parameters'),
  matrix({ variant: optional(string) }),
  query({ q: string }),
  cookie({ level: string }),
  header({ 'x-cheese-secret-handshake': string }),
  form({ smell: string }),
  handle(
    (input) =>
      `${input.path.name}/${input.path.age}/${input.matrix.variant ?? 'plain'}/${input.query.q}/${input.cookie.level}/${input.header['x-cheese-secret-handshake']}/${input.form.smell}`,
  ),
)

export const demoRoutes = pipe(
  routes({ sayHello, sayEverything }),
  tags({ name: 'demo', description: 'Operations without a purpose of their own' }),
)
