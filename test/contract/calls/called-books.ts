/** Operations that contracts of `callWithFilters` call, and operations that call them. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ClientError } from '../../../src/client.ts'
import type { CommonContext } from '../../../src/index.ts'
import {
  between,
  fails,
  get,
  handle,
  int,
  json,
  noContent,
  optional,
  path,
  produces,
  query,
  text,
} from '../../../src/index.ts'

export const Book = t.type({ id: t.number, title: t.string })
export class Closed extends Error {}

/** The result of a call as a short text. */
export const summaryOf = (
  result: E.Either<ClientError | object, { readonly status: number; readonly body: unknown }>,
): string => {
  if (E.isRight(result)) return `Right ${result.right.status} ${JSON.stringify(result.right.body)}`
  const { left } = result
  if ('_tag' in left) return `Left ${left._tag} ${left.message}`
  return `Left ${'status' in left ? String(left.status) : ''} ${'body' in left ? JSON.stringify(left.body) : ''}`
}

export const calling = (
  target: string,
  send: (
    context: CommonContext,
    selected: number,
  ) => () => Promise<Parameters<typeof summaryOf>[0]>,
) =>
  pipe(
    path(target),
    get(),
    query({ n: optional(int) }),
    produces(text),
    handle(async ({ query: { n = 7 } }, context) => summaryOf(await send(context, n)())),
  )

export const getBook = pipe(
  path('/books/{id}', { id: pipe(int, between(1, 100)) }),
  get(),
  produces(json(Book)),
  fails(404, text),
  handle(({ path: { id } }) => {
    if (id === 9) throw new Closed('nine')
    return id === 8 ? E.left('no such book') : { id, title: 'Emma' }
  }),
)
export const nothing = pipe(
  path('/nothing'),
  get(),
  handle(() => noContent),
)
