/** Types of preconditions: their responses must be declared. */
import { expectTypeOf } from 'expect-type'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EntityTag } from '../../src/http/entity-tag.ts'
import type { CallTask, ClientError, DecodedFailure, DecodedResponse } from '../../src/client.ts'
import { client } from '../../src/client.ts'
import type { Context, Reply } from '../../src/index.ts'
import {
  body,
  conditional,
  evaluatePreconditions,
  fails,
  get,
  handle,
  head,
  int,
  json,
  method,
  path,
  produces,
  post,
  put,
  responds,
  routes,
  text,
  withEtag,
} from '../../src/index.ts'

declare const context: Context

expectTypeOf(evaluatePreconditions(context)).toEqualTypeOf<
  O.Option<Reply<304, void> | Reply<412, void>>
>()
expectTypeOf(evaluatePreconditions<412>(context, { etag: 'a' })).toEqualTypeOf<
  O.Option<Reply<412, void>>
>()

// 304 and 412 are declared
pipe(
  path('/'),
  get(),
  produces(text),
  responds(304),
  fails(412),
  handle((_, requestContext) =>
    pipe(
      evaluatePreconditions(requestContext, { etag: 'a' }),
      O.getOrElseW(() => 'a'),
    ),
  ),
)

// operations other than GET declare 412 only
pipe(
  path('/'),
  put(),
  fails(412),
  handle((_, requestContext) =>
    pipe(
      evaluatePreconditions<412>(requestContext, { lastModified: new Date() }),
      O.getOrElseW(() => undefined),
    ),
  ),
)

pipe(
  path('/'),
  get(),
  produces(text),
  responds(304),
  handle((_, requestContext) =>
    // @ts-expect-error 412 is not declared
    pipe(
      evaluatePreconditions(requestContext, { etag: 'a' }),
      O.getOrElseW(() => 'a'),
    ),
  ),
)

// @ts-expect-error a status other than 304 and 412
evaluatePreconditions<404>(context)
// @ts-expect-error a date is a `Date`
evaluatePreconditions(context, { lastModified: '2020-01-01' })

expectTypeOf(withEtag('weak')(json(int))).toEqualTypeOf(json(int))
// @ts-expect-error invalid kind of ETag
withEtag('none')

// `conditional` declares 304 and 412 for GET, HEAD and QUERY, and 412 for other methods
const conditionalNote = pipe(
  path('/notes/{id}', { id: int }),
  get(),
  produces(text),
  conditional({
    etag: ({ path: { id } }, { request }) => {
      expectTypeOf(id).toEqualTypeOf<number>()
      expectTypeOf(request.method).toEqualTypeOf<string>()
      return `v${id}`
    },
    lastModified: async () => undefined,
  }),
  handle(({ path: { id } }) => String(id)),
)
const replaceNote = pipe(
  path('/notes/{id}', { id: int }),
  put(),
  conditional(
    ({ path: { id } }) =>
      async () =>
        id === 1 ? { lastModified: new Date() } : undefined,
  ),
  handle(() => {}),
)
const findNote = pipe(
  path('/notes'),
  method('QUERY')(),
  body(text),
  produces(text),
  conditional({ etag: ({ body: sent }) => sent }),
  handle(({ body: sent }) => sent),
)
const notes = client(routes({ conditionalNote, findNote, replaceNote }), {
  baseUrl: 'http://localhost',
})
expectTypeOf(notes.conditionalNote).returns.toEqualTypeOf<
  CallTask<
    ClientError | DecodedFailure<412, void>,
    DecodedResponse<200, string> | DecodedResponse<304, void>
  >
>()
expectTypeOf(notes.findNote).returns.toEqualTypeOf<
  CallTask<
    ClientError | DecodedFailure<412, void>,
    DecodedResponse<200, string> | DecodedResponse<304, void>
  >
>()
expectTypeOf(notes.replaceNote).returns.toEqualTypeOf<
  CallTask<ClientError | DecodedFailure<412, void>, DecodedResponse<204, void>>
>()

// an operation without a body keeps its 204 response
pipe(
  path('/'),
  head(),
  conditional({ etag: (): EntityTag => ({ weak: true, opaque: 'a' }) }),
  handle(() => {}),
)

pipe(
  path('/'),
  conditional({ etag: () => 'a' }),
  // @ts-expect-error conditional must follow the method
  get(),
  handle(() => {}),
)
pipe(
  path('/'),
  get(),
  // @ts-expect-error at least one function
  conditional({}),
)
pipe(
  path('/'),
  get(),
  // @ts-expect-error a date is a `Date`
  conditional({ lastModified: () => '2020-01-01' }),
)
pipe(
  path('/'),
  get(),
  // @ts-expect-error an ETag is a string or an object
  conditional({ etag: () => 7 }),
)
pipe(
  path('/'),
  put(),
  // @ts-expect-error the input has no such member
  conditional({ etag: (input) => String(input.body) }),
)
const declaredTwice = pipe(path('/'), post(), fails(412, text), conditional({ etag: () => 'a' }))
// @ts-expect-error 412 is declared twice
handle(() => {})(declaredTwice)
