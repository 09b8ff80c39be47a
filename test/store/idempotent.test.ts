/** Declarations of `idempotent`: invalid options, and operations that it cannot apply to. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  blocking,
  body,
  byteStream,
  bytes,
  fails,
  file,
  form,
  get,
  handle,
  idempotent,
  int,
  jsonStream,
  path,
  post,
  produces,
  routes,
  text,
  upload,
} from '../../src/index.ts'
import { ConfigurationError } from '../../src/client.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

describe('the options of idempotent', (test) => {
  const rows: ReadonlyArray<[title: string, options: object, message: RegExp]> = [
    [
      'with an unknown name throw',
      { leases: 1 },
      /unknown option "leases": expected required, strict/,
    ],
    [
      'with a text as required throw',
      { required: 'no' },
      /invalid required: expected true or false/,
    ],
    ['with a number as strict throw', { strict: 1 }, /invalid strict: expected true or false/],
    ['with a lease of 0 throw', { lease: 0 }, /invalid lease: must be at least 1 ms/],
    ['with a malformed lease throw', { lease: '30 seconds' }, /invalid lease: expected a duration/],
    [
      'with a malformed retention throw',
      { retention: -1 },
      /invalid retention: expected a duration/,
    ],
    [
      'with a malformed size throw',
      { maxResponseSize: '1 MB' },
      /invalid maxResponseSize: expected /,
    ],
  ]
  table(test, rows, (_, options, message) => {
    assert.throws(() => idempotent(options), message)
  })
})

const remedyOf = (api: Parameters<typeof inMemory>[0]): string => {
  try {
    inMemory(api)
    return ''
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, remedy }) => `${code} ${remedy}`).join('\n')
  }
}

const never = (): Promise<never> => new Promise(() => undefined)

describe('idempotent', (test) => {
  const exclude = 'exclude the operation with idempotent(false)'
  const cannotStore = (type: string): string =>
    `FW-ROUTE-005 idempotent cannot store ${type}, which is a stream or a file: ${exclude}`
  const cannotCompare = (input: string): string =>
    `FW-ROUTE-005 idempotent cannot compare requests with ${input}, which is not held in memory: ${exclude}`
  const at = pipe(path('/a'), post())
  const rows: ReadonlyArray<[title: string, api: Parameters<typeof inMemory>[0], remedy: string]> =
    [
      [
        'rejects a stream of JSON in a response',
        routes({ a: pipe(at, produces(jsonStream(int)), idempotent(), handle(never)) }),
        cannotStore('application/json'),
      ],
      [
        'rejects a file in a response',
        routes({ a: pipe(at, produces(file), idempotent(), handle(never)) }),
        cannotStore('*/*'),
      ],
      [
        'rejects a stream in a failure',
        routes({ a: pipe(at, fails(404, byteStream), idempotent(), handle(never)) }),
        cannotStore('application/octet-stream'),
      ],
      [
        'rejects a stream as body',
        routes({ a: pipe(at, body(byteStream), idempotent(), handle(never)) }),
        cannotCompare('application/octet-stream'),
      ],
      [
        'rejects an uploaded file',
        routes({ a: pipe(at, form({ photo: upload }), idempotent(), handle(never)) }),
        cannotCompare('the file photo'),
      ],
      [
        'rejects a stream below a tree that it is applied to',
        pipe(routes({ a: pipe(at, produces(jsonStream(int)), handle(never)) }), idempotent()),
        cannotStore('application/json'),
      ],
      [
        'accepts a stream that is excluded',
        pipe(
          routes({ a: pipe(at, produces(jsonStream(int)), idempotent(false), handle(never)) }),
          idempotent(),
        ),
        '',
      ],
      [
        'accepts a stream of a safe method',
        pipe(
          routes({ a: pipe(path('/a'), get(), produces(jsonStream(int)), handle(never)) }),
          idempotent(),
        ),
        '',
      ],
      [
        'accepts bytes and forms',
        pipe(
          routes({
            a: pipe(at, body(bytes), produces(bytes), handle(never)),
            b: pipe(path('/b'), post(), form({ n: int }), produces(text), handle(never)),
          }),
          idempotent(),
        ),
        '',
      ],
      [
        'rejects an operation that runs on workers',
        pipe(routes({ a: pipe(at, blocking, handle(never)) }), idempotent()),
        'FW-ROUTE-005 idempotent does not apply to blocking operations, because workers have no common store: declare the operation as nonBlocking, or exclude the operation with idempotent(false)',
      ],
      [
        'rejects two values for one operation',
        routes({ a: pipe(at, idempotent(), idempotent({ strict: true }), handle(never)) }),
        'FW-ROUTE-005 idempotent is declared twice: keep one',
      ],
    ]
  table(test, rows, (_, api, remedy) => {
    assert.is(remedyOf(api), remedy)
  })
})
