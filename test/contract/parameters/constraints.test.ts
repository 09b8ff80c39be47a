/** Violated constraints of parameters and bodies: status and location of each validation error. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { lossless } from '../../../src/json.ts'
import {
  atLeast,
  between,
  body,
  constrained,
  decimal,
  handle,
  int,
  json,
  list,
  path,
  post,
  produces,
  query,
  routes,
  text,
} from '../../../src/index.ts'
import type { Decimal } from '../../../src/index.ts'
import { sendRequest, returns, validationErrorsOf } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const pages = between(1, 100)(int)
const book = pipe(
  path('/books/{shelf}', { shelf: pages }),
  post(),
  query({ size: list(pages) }),
  body(json(t.type({ pages, chapters: t.array(t.type({ pages })) }))),
  produces(text),
  handle(returns('fine')),
)

interface ValidationError {
  readonly in: string
  readonly name?: string
  readonly pointer?: string
}

type ExpectedErrors = ReadonlyArray<readonly [place: string, name: string]>

valueContract('constraints', routes({ book }), (test, call) => {
  table<
    readonly [
      name: string,
      line: string,
      requestBody: unknown,
      status: number,
      expected: ExpectedErrors,
    ]
  >(
    test,
    [
      [
        'values at the limits',
        'POST /books/100?size=1&size=100',
        { pages: 1, chapters: [{ pages: 100 }] },
        200,
        [],
      ],
      [
        'a path parameter above the maximum',
        'POST /books/101',
        { pages: 1, chapters: [] },
        404,
        [['path', 'shelf']],
      ],
      [
        'an element of a query list below the minimum',
        'POST /books/1?size=0',
        { pages: 1, chapters: [] },
        400,
        [['query', 'size']],
      ],
      [
        'an element of a query list above the maximum',
        'POST /books/1?size=1&size=101',
        { pages: 1, chapters: [] },
        400,
        [['query', 'size']],
      ],
      [
        'several members of the body',
        'POST /books/1',
        { pages: 0, chapters: [{ pages: 1 }, { pages: 101 }] },
        400,
        [
          ['body', '#/pages'],
          ['body', '#/chapters/1/pages'],
        ],
      ],
    ],
    async (_, line, requestBody, status, expected) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await sendRequest(call, line, { body: JSON.stringify(requestBody), headers })
      assert.is(response.status, status)
      if (status === 200) return
      const { errors } = (await response.json()) as {
        readonly errors: ReadonlyArray<ValidationError>
      }
      assert.equal(
        errors.map((error) => [error.in, error.name ?? error.pointer]),
        expected,
      )
    },
  )
})

const price = constrained(
  'a price with two decimal places',
  (value: Decimal) => value.scale === 2,
)(atLeast(0)(decimal))
const offer = (template: '/offers' | '/exact') =>
  pipe(
    path(template),
    post(),
    query({ price }),
    body(json(t.type({ prices: list(price) }))),
    produces(json(list(price))),
    handle((input) => [input.query.price, ...input.body.prices]),
  )

const offers = routes({ offer: offer('/offers'), exact: lossless(offer('/exact')) })
const mustBePrice = 'must be a price with two decimal places'
const mustNotBeNegative = 'must be a decimal number that is at least 0'
const mustBeDecimal = 'must be a decimal number'

valueContract('constraints on decimal numbers', offers, (test, call) =>
  table<readonly [line: string, requestBody: string, expected: unknown]>(
    test,
    [
      ['POST /offers?price=0.00', '{"prices":["12.50"]}', '["0.00","12.50"]'],
      ['POST /exact?price=0.00', '{"prices":[12.50]}', '[0.00,12.50]'],
      ['POST /offers?price=12.5', '{"prices":[]}', [['query', 'price', mustBePrice]]],
      ['POST /offers?price=-0.01', '{"prices":[]}', [['query', 'price', mustNotBeNegative]]],
      ['POST /offers?price=x', '{"prices":[]}', [['query', 'price', mustBeDecimal]]],
      ['POST /offers?price=0.00', '{"prices":[12.5]}', [['body', undefined, mustBeDecimal]]],
      ['POST /offers?price=0.00', '{"prices":["-1.00"]}', [['body', undefined, mustNotBeNegative]]],
      ['POST /exact?price=0.00', '{"prices":[1.5]}', [['body', undefined, mustBePrice]]],
    ],
    async (line, requestBody, expected) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await sendRequest(call, line, { body: requestBody, headers })
      assert.equal(
        response.status === 200 ? await response.text() : await validationErrorsOf(response),
        expected,
      )
    },
  ),
)
