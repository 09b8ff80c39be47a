/** Precedence of path templates that match the same path. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, post, prefix, produces, routes, text } from '../../../src/index.ts'
import { testRequests } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'

/** An operation that returns its template. */
const operationAt = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle((_, { endpoint }) => endpoint.template),
  )

/** Templates in descending precedence. */
const ranked = [
  '/abc/{x}', // more literal characters
  '/{x}/d',
  '/a/{x}/{y}', // fewer literal characters, although more in the first segment
  '/{x}/bcd/{y}',
  '/{x}-{y}', // equal literal characters, more variables
  '/p{x}',
  '/n/{x:\\d+}', // equal variables, more regular expressions
  '/n/{x}',
  '/t/{x:[0-9]+}', // order of the template text
  '/t/{x:[0-9a-z]+}',
  '/foo/bar',
  '/foo/{x}',
] as const

const tree = (templates: ReadonlyArray<string>) =>
  routes(
    Object.fromEntries(templates.map((template, index) => [`t${index}`, operationAt(template)])),
  )

const rows = [
  ['more literal characters', 'GET /abc/d', '/abc/{x}'],
  ['more literal characters in the whole template', 'GET /a/bcd/z', '/{x}/bcd/{y}'],
  ['more variables', 'GET /p-q', '/{x}-{y}'],
  ['more regular expressions', 'GET /n/1', '/n/{x:\\d+}'],
  ['a regular expression that does not match', 'GET /n/a', '/n/{x}'],
  ['order of the template text', 'GET /t/1', '/t/{x:[0-9]+}'],
  ['the next template in that order', 'GET /t/a', '/t/{x:[0-9a-z]+}'],
  ['a literal before a variable', 'GET /foo/bar', '/foo/bar'],
  ['a literal does not match a prefix of a segment', 'GET /foo/bar_value', '/foo/{x}'],
  ['a literal with matrix parameters', 'GET /foo/bar;a=1', '/foo/bar'],
  ['a literal with a percent-encoded character', 'GET /foo/%62ar', '/foo/bar'],
] as const

valueContract('precedence of templates', tree(ranked), (test, call) =>
  testRequests(test, call, rows),
)
valueContract('precedence of templates in reverse order', tree(ranked.toReversed()), (test, call) =>
  testRequests(test, call, rows),
)

const hello = routes({ hello: operationAt('/hello/{id}') })
const more = routes({
  bar: operationAt('/hello/{id}/bar'),
  deep: operationAt('/hello/{id}/{x:.+}/end'),
})
const overlap = routes({
  hello,
  more,
  variable: operationAt('/foo/{p}'),
  below: operationAt('/foo/bar/{p}'),
  page: pipe(
    path('/pages/index'),
    get(),
    produces(text),
    handle(() => 'page'),
  ),
  save: pipe(
    path('/pages/{name}'),
    post(),
    produces(text),
    handle(({ path: { name } }) => name),
  ),
})

valueContract('overlapping templates', pipe(overlap, prefix('/x')), (test, call) =>
  testRequests(test, call, [
    ['a template that matches only a prefix', 'GET /x/foo/bar', '/x/foo/{p}'],
    ['a template with a longer literal prefix', 'GET /x/foo/bar/1', '/x/foo/bar/{p}'],
    ['the template of one tree', 'GET /x/hello/1', '/x/hello/{id}'],
    ['a longer template of another tree', 'GET /x/hello/1/bar', '/x/hello/{id}/bar'],
    [
      'a template that matches further than a better prefix',
      'GET /x/hello/1/bar/end',
      '/x/hello/{id}/{x:.+}/end',
    ],
    ['no template matches', 'GET /x/hello/1/bar/2', 404],
    ['a method of the less specific template', 'POST /x/pages/index', 'index'],
    ['a method of the more specific template', 'GET /x/pages/index', 'page'],
  ]),
)
