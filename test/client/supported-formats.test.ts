/** Which operations need functions that are loaded on demand, and which representations a client cannot send or read. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  needsFurtherFormats,
  unreadableTypes,
  unwritableTypes,
} from '../../src/client/prepare-call.ts'
import { clientOperation } from '../../src/client/response-plan.ts'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import { rootScope } from '../../src/endpoint/tree/tree-scope.ts'
import {
  as,
  body,
  bytes,
  byteStream,
  fails,
  file,
  form,
  get,
  int,
  json,
  path,
  post,
  problem,
  produces,
  responds,
  sse,
  string,
  text,
  upload,
} from '../../src/index.ts'
import { lossless } from '../../src/json.ts'
import { hal } from '../../src/hal.ts'
import { xml } from '../../src/xml.ts'
import { describe, table } from '../support/describe.ts'

const Book = t.type({ title: t.string }, 'Book')
const read = pipe(path('/book'), get())
const write = pipe(path('/book'), post())

const operationOf = ({ definition }: { readonly definition: Definition }) => {
  const operation = clientOperation(definition, { ...rootScope(''), keys: ['book'] })
  assert.ok(E.isRight(operation))
  return operation.right
}

describe('needsFurtherFormats', (test) =>
  table<readonly [title: string, endpoint: { readonly definition: Definition }, isNeeded: boolean]>(
    test,
    [
      ['JSON', pipe(read, produces(json(Book))), false],
      ['text and bytes', pipe(write, body(text), produces(bytes)), false],
      ['failures with problem documents', pipe(read, produces(int), fails(404, problem)), false],
      ['URL-encoded forms', pipe(write, form({ title: string })), false],
      ['forms with files', pipe(write, form({ cover: upload })), true],
      ['streamed requests', pipe(write, body(byteStream)), true],
      ['event streams', pipe(read, produces(sse(string))), true],
      ['files', pipe(read, produces(file)), true],
      ['XML as one of several formats', pipe(read, produces(json(Book), xml(Book))), true],
      ['HAL', pipe(read, produces(hal(Book))), true],
      ['lossless JSON', pipe(read, lossless, produces(json(Book))), true],
      ['integers of t.bigint', pipe(write, body(json(t.type({ count: t.bigint })))), true],
      ['a failure in another format', pipe(read, fails(404, xml(Book)), responds(204)), true],
    ],
    (_, endpoint, isNeeded) => assert.is(needsFurtherFormats(operationOf(endpoint)), isNeeded),
  ))

describe('representations that a client cannot send or read', (test) =>
  table<
    readonly [
      title: string,
      endpoint: { readonly definition: Definition },
      unwritable: ReadonlyArray<string>,
      unreadable: ReadonlyArray<string>,
    ]
  >(
    test,
    [
      ['JSON', pipe(write, body(json(Book)), produces(json(Book))), [], []],
      ['files are read, not sent', pipe(write, body(as('image/png')(file))), ['image/png'], []],
      ['events are read, not sent', pipe(write, body(sse(string))), ['text/event-stream'], []],
      ['events with text', pipe(read, produces(sse(text))), [], []],
      ['events with a stream', pipe(read, produces(sse(byteStream))), [], ['text/event-stream']],
    ],
    (_, endpoint, unwritable, unreadable) => {
      const operation = operationOf(endpoint)
      assert.equal(
        [unwritableTypes(operation), unreadableTypes(operation)],
        [unwritable, unreadable],
      )
    },
  ))
