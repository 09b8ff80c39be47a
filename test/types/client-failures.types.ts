/** Narrowing of the `Left` of a client call: a client error by its tag, a declared failure by its status. */
import { expectTypeOf } from 'expect-type'
import type { Left } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ClientError, DecodedFailure } from '../../src/client.ts'
import { client, discard, isClientError } from '../../src/client.ts'
import { fails, get, json, path, produces, routes, text } from '../../src/index.ts'

const Missing = t.type({ _tag: t.literal('Missing'), isbn: t.string })
const find = pipe(
  path('/books/{isbn}'),
  get(),
  produces(text),
  fails(404, json(Missing)),
  fails(410),
)
const library = client(routes({ find }), { baseUrl: 'http://localhost' })
declare const left: Extract<
  Awaited<ReturnType<ReturnType<typeof library.find>>>,
  Left<unknown>
>['left']

if (left._tag === 'UndeclaredStatus') expectTypeOf(left.text).toEqualTypeOf<string>()
if (left._tag === 'Rejected') expectTypeOf(left.policy).toEqualTypeOf<string>()
if (left._tag === 'DecodeError' || left._tag === 'UndeclaredStatus')
  expectTypeOf(left.status).toEqualTypeOf<number>()
if (left._tag === undefined) expectTypeOf(left.status).toEqualTypeOf<404 | 410>()
if (left._tag === undefined && left.status === 404)
  expectTypeOf(left.body).toEqualTypeOf<{ _tag: 'Missing'; isbn: string }>()
if (left.status === 410 && left._tag === undefined) expectTypeOf(left.body).toEqualTypeOf<void>()
// a response with the status of a failure can also be a client error, such as `DecodeError`
if (left.status === 404)
  expectTypeOf(left.body).toEqualTypeOf<{ _tag: 'Missing'; isbn: string } | undefined>()
if (left.status === 404 && left.body !== undefined)
  expectTypeOf(left).toEqualTypeOf<DecodedFailure<404, { _tag: 'Missing'; isbn: string }>>()
if (isClientError(left)) expectTypeOf(left).toEqualTypeOf<ClientError>()
else expectTypeOf(left._tag).toEqualTypeOf<undefined>()
const describeLeft = (failed: typeof left): string => {
  switch (failed._tag) {
    case 'EncodeError':
    case 'DecodeError':
      return String(failed.errors.length)
    case 'NetworkError':
    case 'TimedOut':
    case 'Aborted':
    case 'Defect':
      return failed.message
    case 'UndeclaredStatus':
      return failed.text
    case 'ResponseTooLarge':
      return String(failed.limit)
    case 'Rejected':
      return failed.policy
    case undefined:
      return failed.status === 404 ? failed.body.isbn : failed.url
  }
}
describeLeft(left)

// with `in`, the members of client errors can be read without a further check
if ('_tag' in left) expectTypeOf(left.message).toEqualTypeOf<string | undefined>()
void discard(left)
