/** Mistakes of single endpoints. The compiler refuses most of them too, but programs in JavaScript have none. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Definition, Endpoint } from '../../../src/endpoint/endpoint.ts'
import { makeEndpoint } from '../../../src/endpoint/endpoint.ts'
import { parse } from '../../../src/endpoint/internal/path-template.ts'
import {
  ndjson,
  as,
  body,
  fails,
  form,
  get,
  header,
  html,
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
import type { Mistake } from '../../../src/endpoint/internal/configuration-error.ts'
import { filterChain } from '../../../src/compiler/filter-chain.ts'
import { rootScope } from '../../../src/endpoint/internal/tree-scope.ts'
import { verifyRoute } from '../../../src/compiler/verify/verify-route.ts'
import { says } from '../../support/ask.ts'
import { describe, table } from '../../support/describe.ts'

interface Defined {
  readonly definition: Definition
}

/** An endpoint of which the compiler has forgotten what was declared, as if it had been written in JavaScript. */
const forget = ({ definition }: Defined): Endpoint<{ path: {} }> => makeEndpoint(definition)

const a = path('/a')

/** The same with a handler. */
const say = ({ definition }: Defined): Defined => ({
  definition: { ...definition, handler: says('a') },
})
const at = (template: string): Defined => say(pipe(path(template), get(), produces(text)))

type Row = readonly [
  name: string,
  endpoint: Defined,
  code: Mistake['code'],
  remedy: string | RegExp,
]

const rows: ReadonlyArray<Row> = [
  ['a variable that is not closed', at('/{id'), 'FW-ROUTE-001', 'unclosed "{" at position 1'],
  ['a variable that is not opened', at('/id}'), 'FW-ROUTE-001', 'unexpected "}" at position 3'],
  [
    'a variable without a name',
    at('/{}'),
    'FW-ROUTE-001',
    'invalid variable "{}": expected {name} or {name:regex}',
  ],
  [
    'the variables of other frameworks',
    at('/:id'),
    'FW-ROUTE-001',
    'invalid variable :id: write {id}',
  ],
  ['which may stand anywhere', at('/a/:id/b'), 'FW-ROUTE-001', 'invalid variable :id: write {id}'],
  ['an expression that is none', at('/{id:[}'), 'FW-ROUTE-003', /^\{id:\[\}: .*nvalid/],
  ['one that is two with what is around it', at('/{id:a)(b}'), 'FW-ROUTE-003', /Unmatched/],
  [
    'a catastrophic expression',
    at('/{id:(a+)+}'),
    'FW-ROUTE-003',
    /^\{id:\(a\+\)\+\}: .* doubles the time$/,
  ],
  [
    'one of several in a segment',
    at('/{x:a*}{y:a*}{z:a*}{v:a*}'),
    'FW-ROUTE-003',
    /power 4 of its length$/,
  ],
  [
    'the cube of the length',
    at('/{id:\\d+\\d+\\d+x}'),
    'FW-ROUTE-003',
    /^\{id:\\d\+\\d\+\\d\+x\}: .*distinguishable: .* power 3 of its length$/,
  ],
  [
    'the cube of the length in a segment of several',
    at('/{x:\\d+}{y:\\d+}{z:\\d+}x'),
    'FW-ROUTE-003',
    /power 3 of its length$/,
  ],
  [
    'the square of the length, tried at every end of a variable that spans segments',
    at('/{x:.+-.+}/end'),
    'FW-ROUTE-003',
    /power 2 of its length$/,
  ],
  ['a backreference', at('/{id:(a)\\1}'), 'FW-ROUTE-003', /refers to a capture/],
  ['R-119 no method', say(a), 'FW-ROUTE-004', 'declare a method: get(), post(), …'],
  [
    'R-113 a method that is no token',
    say(pipe(a, method('A B')())),
    'FW-ROUTE-004',
    'invalid method "A B": expected a token',
  ],
  ['no handler', pipe(a, get()), 'FW-ROUTE-004', 'declare a handler: handle(…)'],
  [
    'R-110 two methods',
    say(pipe(a, get(), forget, post())),
    'FW-ROUTE-005',
    'the method is declared twice, as GET and as POST',
  ],
  [
    'a variable twice',
    at('/{id}/{id}'),
    'FW-ROUTE-005',
    'the path parameter "id" is declared twice',
  ],
  [
    'also further down',
    say(pipe(path('/{id}'), forget, get('/{id}'))),
    'FW-ROUTE-005',
    'the path parameter "id" is declared twice',
  ],
  [
    'a parameter twice',
    say(pipe(a, get(), query({ q: int }), query({ q: string }))),
    'FW-ROUTE-005',
    'the query parameter "q" is declared twice',
  ],
  [
    'R-147 two bodies',
    say(pipe(a, post(), body(text), forget, body(html))),
    'FW-ROUTE-005',
    /body is declared twice/,
  ],
  [
    'R-173 a form and a body',
    say(pipe(a, post(), body(text), forget, form({ f: string }))),
    'FW-ROUTE-005',
    'declared with a form and a body: keep one',
  ],
  [
    'a form without content',
    say(pipe(a, get(), forget, form({ f: string }))),
    'FW-ROUTE-005',
    'GET requests cannot have a form',
  ],
  [
    'R-146 a header without a name',
    say(pipe(a, get(), header({ '': string }))),
    'FW-PARAM-001',
    'invalid header name ""',
  ],
  [
    'a name that no header has',
    say(pipe(a, get(), header({ 'a b': string }))),
    'FW-PARAM-001',
    'invalid header name "a b"',
  ],
  [
    'a name that is no member',
    say(pipe(a, get(), query({ ['__proto__']: int }))),
    'FW-PARAM-001',
    'invalid name of a query parameter: __proto__',
  ],
  [
    'a part in pieces',
    say(pipe(a, post(), form({ f: part(byteStream) }))),
    'FW-MEDIA-001',
    'application/octet-stream is streamed, so it cannot be a part of a form',
  ],
  [
    'a part without a reader',
    say(pipe(a, post(), form({ f: part(representation({ mediaType: 'text/csv' })) }))),
    'FW-MEDIA-001',
    'text/csv has no read function, so it cannot be a body',
  ],
  [
    'multipart input as an answer',
    say(pipe(a, get(), produces(multipartInput))),
    'FW-MEDIA-001',
    'multipart/form-data is only received, so it cannot be sent',
  ],
  [
    'a media type that is none',
    say(pipe(a, get(), produces(as('text')(text)))),
    'FW-MEDIA-001',
    'invalid media type "text"',
  ],
  [
    'a weight that is none',
    say(pipe(a, get(), produces(as('text/a;qs=2')(text)))),
    'FW-MEDIA-001',
    'invalid media type "text/a;qs=2"',
  ],
  [
    'a body that cannot be read',
    say(pipe(a, post(), body(representation({ mediaType: 'a/b' })))),
    'FW-MEDIA-001',
    'a/b has no read function, so it cannot be a body',
  ],
  [
    'a body that is only sent',
    say(pipe(a, post(), body(ndjson(int)))),
    'FW-MEDIA-001',
    'application/x-ndjson is only sent, so it cannot be a body',
  ],
  [
    'a content that cannot be written',
    say(pipe(a, get(), produces(representation({ mediaType: 'a/b' })))),
    'FW-MEDIA-001',
    'a/b has no write function, so it cannot be sent',
  ],
  [
    'a status that is none',
    say(pipe(a, get(), responds(99))),
    'FW-RESP-001',
    'invalid status 99: expected an integer from 200 to 999',
  ],
  [
    'a content where there is none',
    say(pipe(a, get(), produces(text), status(204))),
    'FW-RESP-001',
    /^responses with status 204 have no body/,
  ],
  [
    'a status twice',
    say(pipe(a, get(), fails(404, text), fails(404, html))),
    'FW-RESP-001',
    'the status 404 is declared more than once',
  ],
  [
    'a field that cannot be sent',
    say(pipe(a, get(), responseHeader('A', 'b\r\nC: d'))),
    'FW-RESP-001',
    'invalid header "A"',
  ],
  [
    'a need that nobody fills',
    say(pipe(a, get(), needs({ local: slot<string>()('books') }))),
    'FW-NEED-001',
    'provide slot "books" with provide({ books: … })',
  ],
]

describe('verify', (test) => {
  table<Row>(test, rows, (_, { definition }, code, remedy) => {
    const { template, method: sent = '(no method)' } = definition
    const place = rootScope('/')
    const chain = filterChain(place, undefined, definition.needs)
    const [found, ...others] = verifyRoute({
      name: 'it',
      template,
      parsed: parse(template),
      definition,
      chain,
      attributes: place.attributes,
    })
    assert.is(found?.code, code)
    assert.equal(found?.concerns, [`${sent} ${template}  (it)`])
    assert.match(found?.remedy ?? '', remedy)
    assert.equal(others, [])
  })
})
