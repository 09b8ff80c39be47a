/** Types of calls within the process: the input and the results that an endpoint declares. */
import { expectTypeOf } from 'expect-type'
import type * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { ClientError, DecodedFailure, DecodedResponse } from '../../src/client.ts'
import { callWithFilters } from '../../src/client.ts'
import type { Context, HttpError, Reply } from '../../src/index.ts'
import {
  body,
  call,
  fails,
  get,
  handle,
  int,
  json,
  needs,
  noContent,
  optional,
  path,
  post,
  produces,
  providersOf,
  query,
  raises,
  responds,
  routes,
  slot,
  status,
  text,
} from '../../src/index.ts'

declare const context: Context

const Book = t.type({ id: t.number })
const Missing = t.type({ missing: t.number })
const Clock = slot<Date>()('clock')
interface Sold {
  readonly _tag: 'Sold'
}

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const find = pipe(
  path('/books/{id}', { id: int }),
  get(),
  query({ page: optional(int) }),
  needs({ clock: Clock }),
  produces(json(Book)),
  responds(202, text),
  fails(404, json(Missing)),
  fails(409),
  raises<Sold>(),
  handle(({ path: { id } }) => ({ id })),
)
const remove = pipe(
  path('/books'),
  post(),
  body(json(Book)),
  handle(() => noContent),
)
const maybe = pipe(path('/maybe'), get(), produces(json(t.union([Book, t.null]))), status(203))
const only = pipe(path('/only'), get(), responds(302))

type Result<F> = F extends () => Promise<infer R> ? R : never

// the input is that of the handler, without the slots of the tree
call(context, ping)
call(context, ping, {})
call(context, ping, undefined, { name: 'v1.ping' })
call(context, find, { path: { id: 1 }, query: { page: undefined } })
call(context, find, { path: { id: 1 }, query: { page: 1 }, needs: { clock: new Date() } })
call(context, remove, { body: { id: 1 } })
// a contract without a handler
call(context, maybe)
// @ts-expect-error missing input
call(context, find)
// @ts-expect-error missing group
call(context, find, { path: { id: 1 } })
// @ts-expect-error the wrong type
call(context, find, { path: { id: '1' }, query: { page: 1 } })
// @ts-expect-error a slot of the wrong type
call(context, find, { path: { id: 1 }, query: { page: 1 }, needs: { clock: 1 } })
// @ts-expect-error not an endpoint
call(context, routes({ ping }))

// the results are replies
const pong = call(context, ping)
expectTypeOf<Result<typeof pong>>().toEqualTypeOf<E.Either<HttpError, Reply<200, string>>>()
const found = call(context, find, { path: { id: 1 }, query: { page: 1 } })
expectTypeOf<Result<typeof found>>().toEqualTypeOf<
  E.Either<
    HttpError | Reply<404, { missing: number }> | Reply<409, void> | Sold,
    Reply<200, { id: number }> | Reply<202, string>
  >
>()
const removed = call(context, remove, { body: { id: 1 } })
expectTypeOf<Result<typeof removed>>().toEqualTypeOf<E.Either<HttpError, Reply<204, void>>>()
const perhaps = call(context, maybe)
expectTypeOf<Result<typeof perhaps>>().toEqualTypeOf<
  E.Either<HttpError, Reply<203, { id: number } | null> | Reply<204, void>>
>()
const redirect = call(context, only)
expectTypeOf<Result<typeof redirect>>().toEqualTypeOf<E.Either<HttpError, Reply<302, void>>>()

// a handler can return the result, if its failures are declared
pipe(
  path('/titles/{id}', { id: int }),
  get(),
  produces(text),
  fails(404, json(Missing)),
  fails(409),
  raises<Sold>(),
  handle((input, own) =>
    pipe(
      call(own, find, { path: input.path, query: { page: undefined } }),
      TE.map(({ entity }) => (typeof entity === 'string' ? entity : String(entity.id))),
    ),
  ),
)
pipe(
  path('/undeclared/{id}', { id: int }),
  get(),
  produces(text),
  fails(409),
  raises<Sold>(),
  handle((input, own) =>
    // @ts-expect-error the failure 404 is not declared
    pipe(
      call(own, find, { path: input.path, query: { page: undefined } }),
      TE.map(() => ''),
    ),
  ),
)

// through the pipeline: the input and the results of a client
callWithFilters(context, ping)
callWithFilters(context, find, { path: { id: 1 } }, { headers: { 'X-A': '1' }, prefix: { t: 1 } })
// @ts-expect-error missing input
callWithFilters(context, find)
// @ts-expect-error slots are filled by the tree
callWithFilters(context, find, { path: { id: 1 }, needs: { clock: new Date() } })
// @ts-expect-error an unknown option
callWithFilters(context, ping, {}, { retry: 1 })
const decoded = callWithFilters(context, find, { path: { id: 1 } })
expectTypeOf<Result<typeof decoded>>().toEqualTypeOf<
  E.Either<
    ClientError | DecodedFailure<404, { missing: number }> | DecodedFailure<409, void>,
    DecodedResponse<200, { id: number }> | DecodedResponse<202, string>
  >
>()

// the codec determines the type of readers and writers
const providers = providersOf(context)
const read = providers.reader(Book, 'application/json')
expectTypeOf(read).toEqualTypeOf<
  ((data: Uint8Array) => TE.TaskEither<HttpError, { id: number }>) | undefined
>()
providers.writer(Book, 'text/csv')?.({ id: 1 })
// @ts-expect-error another entity
providers.writer(Book, 'text/csv')?.({ id: '1' })
