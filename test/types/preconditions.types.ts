/** Types of preconditions: their responses must be declared. */
import { expectTypeOf } from 'expect-type'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Context, Reply } from '../../src/index.ts'
import {
  evaluatePreconditions,
  fails,
  get,
  handle,
  int,
  json,
  path,
  produces,
  put,
  responds,
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
