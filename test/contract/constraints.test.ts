/** Constraints that inputs do not meet. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  between,
  body,
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
} from '../../src/index.ts'
import { ask, says } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const pages = between(1, 100)(int)
const book = pipe(
  path('/books/{shelf}', { shelf: pages }),
  post(),
  query({ size: list(pages) }),
  body(json(t.type({ pages, chapters: t.array(t.type({ pages })) }))),
  produces(text),
  handle(says('fine')),
)

interface Fault {
  readonly in: string
  readonly name?: string
  readonly pointer?: string
}

type Faults = ReadonlyArray<readonly [place: string, name: string]>

contract('a constraint that is not met', routes({ book }), (test, call) => {
  table<readonly [line: string, content: unknown, status: number, faults: Faults]>(
    test,
    [
      ['POST /books/100?size=1&size=100', { pages: 1, chapters: [{ pages: 100 }] }, 200, []],
      ['POST /books/101', { pages: 1, chapters: [] }, 404, [['path', 'shelf']]],
      ['POST /books/1?size=0', { pages: 1, chapters: [] }, 400, [['query', 'size']]],
      ['POST /books/1?size=1&size=101', { pages: 1, chapters: [] }, 400, [['query', 'size']]],
      [
        'POST /books/1',
        { pages: 0, chapters: [{ pages: 1 }, { pages: 101 }] },
        400,
        [
          ['body', '#/pages'],
          ['body', '#/chapters/1/pages'],
        ],
      ],
    ],
    async (line, content, status, faults) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await ask(call, line, { body: JSON.stringify(content), headers })
      assert.is(response.status, status)
      if (status === 200) return
      const { errors } = (await response.json()) as { readonly errors: ReadonlyArray<Fault> }
      assert.equal(
        errors.map((fault) => [fault.in, fault.name ?? fault.pointer]),
        faults,
      )
    },
  )
})
