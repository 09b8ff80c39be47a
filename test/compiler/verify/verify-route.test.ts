/** Tests configuration errors of single endpoints. Most of them are also type errors, but programs in JavaScript have no types. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Definition, UnhandledEndpoint } from '../../../src/endpoint/endpoint.ts'
import { makeEndpoint } from '../../../src/endpoint/endpoint.ts'
import { parse } from '../../../src/endpoint/definition/path-template.ts'
import {
  sse,
  as,
  body,
  fails,
  form,
  get,
  header,
  html,
  inLanguage,
  int,
  method,
  needs,
  path,
  post,
  produces,
  query,
  representation,
  responds,
  responseHeader,
  slot,
  status,
  string,
  text,
  byteStream,
  multipartInput,
  part,
} from '../../../src/index.ts'
import type { ConfigurationIssue } from '../../../src/endpoint/definition/configuration-error.ts'
import { filterChain } from '../../../src/compiler/filter-chain.ts'
import { rootScope } from '../../../src/endpoint/tree/tree-scope.ts'
import { verifyRoute } from '../../../src/compiler/verify/verify-route.ts'
import { returns } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'

interface Defined {
  readonly definition: Definition
}

/** Removes the declarations from the type of an endpoint, as if it was written in JavaScript. */
const forget = ({ definition }: Defined): UnhandledEndpoint<{ path: {} }> =>
  makeEndpoint(definition)

const a = path('/a')

/** Adds a handler. */
const handled = ({ definition }: Defined): Defined => ({
  definition: { ...definition, handler: returns('a') },
})
const at = (template: string): Defined => handled(pipe(path(template), get(), produces(text)))

type Row = readonly [
  name: string,
  endpoint: Defined,
  code: ConfigurationIssue['code'],
  remedy: string | RegExp,
]

const rows: ReadonlyArray<Row> = [
  [
    'an unclosed variable',
    at('/{id'),
    'FW-ROUTE-001',
    'unexpected "{id": a brace is not closed: add }',
  ],
  [
    'an unopened variable',
    at('/id}'),
    'FW-ROUTE-001',
    'unexpected "}": a brace is not opened: remove }',
  ],
  [
    'a variable without a name',
    at('/{}'),
    'FW-ROUTE-001',
    'unexpected "{}": each variable is written {id}: a name consists of letters, digits, -, _ and .',
  ],
  [
    'a variable in colon syntax',
    at('/:id'),
    'FW-ROUTE-001',
    'unexpected ":id": variables are written {id}',
  ],
  ['an invalid expression', at('/{id:[}'), 'FW-ROUTE-003', /^\{id:\[\}: .*nvalid/],
  ['an expression with unbalanced parentheses', at('/{id:a)(b}'), 'FW-ROUTE-003', /Unmatched/],
  [
    'an expression with exponential time',
    at('/{id:(a+)+}'),
    'FW-ROUTE-003',
    /^\{id:\(a\+\)\+\}: .* can double the matching time$/,
  ],
  [
    'several expressions in a segment',
    at('/{x:a*}{y:a*}{z:a*}{v:a*}'),
    'FW-ROUTE-003',
    /to the power of 4$/,
  ],
  [
    'an expression with cubic time',
    at('/{id:\\d+\\d+\\d+x}'),
    'FW-ROUTE-003',
    /^\{id:\\d\+\\d\+\\d\+x\}: .*the same text: .* to the power of 3$/,
  ],
  [
    'several expressions in a segment with cubic time',
    at('/{x:\\d+}{y:\\d+}{z:\\d+}x'),
    'FW-ROUTE-003',
    /to the power of 3$/,
  ],
  [
    'an expression with quadratic time that spans segments',
    at('/{x:.+-.+}/end'),
    'FW-ROUTE-003',
    /to the power of 2$/,
  ],
  ['a backreference', at('/{id:(a)\\1}'), 'FW-ROUTE-003', /refers to a capturing group/],
  ['a missing method', handled(a), 'FW-ROUTE-004', 'declare a method: get(), post(), …'],
  [
    'a method that is not a token',
    handled(pipe(a, method('A B')())),
    'FW-ROUTE-004',
    'invalid method "A B": expected a token',
  ],
  [
    'a missing handler',
    pipe(a, get()),
    'FW-ROUTE-004',
    'declare a handler: handle(…), implement(…) or implementAll(…)',
  ],
  [
    'two methods',
    handled(pipe(a, get(), forget, post())),
    'FW-ROUTE-005',
    'the method is declared twice, as GET and as POST',
  ],
  [
    'a duplicate variable',
    at('/{id}/{id}'),
    'FW-ROUTE-005',
    'the path parameter "id" is declared twice',
  ],
  [
    'a duplicate variable in the path of the method',
    handled(pipe(path('/{id}'), forget, get('/{id}'))),
    'FW-ROUTE-005',
    'the path parameter "id" is declared twice',
  ],
  [
    'a duplicate parameter',
    handled(pipe(a, get(), query({ q: int }), query({ q: string }))),
    'FW-ROUTE-005',
    'the query parameter "q" is declared twice',
  ],
  [
    'two bodies',
    handled(pipe(a, post(), body(text), forget, body(html))),
    'FW-ROUTE-005',
    /body is declared twice/,
  ],
  [
    'a form and a body',
    handled(pipe(a, post(), body(text), forget, form({ f: string }))),
    'FW-ROUTE-005',
    'declared with a form and a body: keep one',
  ],
  [
    'a form of a GET request',
    handled(pipe(a, get(), forget, form({ f: string }))),
    'FW-ROUTE-005',
    'GET requests cannot have a form',
  ],
  [
    'a header without a name',
    handled(pipe(a, get(), header({ '': string }))),
    'FW-PARAM-001',
    'invalid header name ""',
  ],
  [
    'a header name with a space',
    handled(pipe(a, get(), header({ 'a b': string }))),
    'FW-PARAM-001',
    'invalid header name "a b"',
  ],
  [
    'a parameter named __proto__',
    handled(pipe(a, get(), query({ ['__proto__']: int }))),
    'FW-PARAM-001',
    'invalid query parameter name: __proto__',
  ],
  [
    'a streamed part',
    handled(pipe(a, post(), form({ f: part(byteStream) }))),
    'FW-MEDIA-001',
    'application/octet-stream is streamed, so it cannot be used for a form part',
  ],
  [
    'a part without a reader',
    handled(pipe(a, post(), form({ f: part(representation({ mediaType: 'text/csv' })) }))),
    'FW-MEDIA-001',
    'text/csv has no read function, so it cannot be received',
  ],
  [
    'multipart input as a response',
    handled(pipe(a, get(), produces(multipartInput))),
    'FW-MEDIA-001',
    'multipart/form-data can only be received, not sent',
  ],
  [
    'an invalid language tag',
    handled(pipe(a, get(), produces(inLanguage('de_CH')(text)))),
    'FW-MEDIA-001',
    'invalid language tag "de_CH"',
  ],
  [
    'an invalid language tag of a request body',
    handled(pipe(a, post(), body(inLanguage('*')(text)))),
    'FW-MEDIA-001',
    'invalid language tag "*"',
  ],
  [
    'an invalid media type',
    handled(pipe(a, get(), produces(as('text')(text)))),
    'FW-MEDIA-001',
    'invalid media type "text"',
  ],
  [
    'an invalid weight',
    handled(pipe(a, get(), produces(as('text/a;qs=2')(text)))),
    'FW-MEDIA-001',
    'invalid media type "text/a;qs=2"',
  ],
  [
    'a body without a read function',
    handled(pipe(a, post(), body(representation({ mediaType: 'a/b' })))),
    'FW-MEDIA-001',
    'a/b has no read function, so it cannot be received',
  ],
  [
    'a body of a send-only format',
    handled(pipe(a, post(), body(sse(int)))),
    'FW-MEDIA-001',
    'text/event-stream can only be sent, not received',
  ],
  [
    'a response without a write function',
    handled(pipe(a, get(), produces(representation({ mediaType: 'a/b' })))),
    'FW-MEDIA-001',
    'a/b has no write function, so it cannot be sent',
  ],
  [
    'an invalid status',
    handled(pipe(a, get(), responds(99))),
    'FW-RESP-001',
    'invalid status 99: expected an integer from 200 to 999',
  ],
  [
    'a body of status 204',
    handled(pipe(a, get(), produces(text), status(204))),
    'FW-RESP-001',
    /^responses with status 204 have no body/,
  ],
  [
    'a duplicate status',
    handled(pipe(a, get(), fails(404, text), fails(404, html))),
    'FW-RESP-001',
    'status 404 is declared more than once',
  ],
  [
    'an invalid response header',
    handled(pipe(a, get(), responseHeader('A', 'b\r\nC: d'))),
    'FW-RESP-001',
    'invalid header "A"',
  ],
  [
    'a missing dependency',
    handled(pipe(a, get(), needs({ local: slot<string>()('books') }))),
    'FW-NEED-001',
    'provide a value for the slot "books": use provide({ books: … })',
  ],
]

describe('verifyRoute', (test) => {
  table<Row>(test, rows, (_, { definition }, code, remedy) => {
    const { template, method: declaredMethod = '(no method)' } = definition
    const scope = rootScope('/')
    const chain = filterChain(scope, undefined, definition.needs)
    const [issue, ...others] = verifyRoute({
      name: 'it',
      template,
      parsed: parse(template),
      prefixVariables: scope.variables,
      definition,
      scope,
      chain,
      attributes: scope.attributes,
    })
    assert.is(issue?.code, code)
    assert.equal(issue?.concerns, [`${declaredMethod} ${template}  (it)`])
    assert.match(issue?.remedy ?? '', remedy)
    assert.equal(others, [])
  })
})
