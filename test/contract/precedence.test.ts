/** Which of several templates that match a path is taken. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, post, prefix, produces, routes, text } from '../../src/index.ts'
import { answers } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

/** Answers with its own template. */
const at = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle((_, { endpoint }) => endpoint.template),
  )

/** Templates that are all the better the earlier they stand here. */
const ranked = [
  '/abc/{x}', // more literal characters
  '/{x}/d',
  '/a/{x}/{y}', // fewer than the next one, though more in its first segment
  '/{x}/bcd/{y}',
  '/{x}-{y}', // as many literal characters, more variables
  '/p{x}',
  '/n/{x:\\d+}', // as many variables, more expressions
  '/n/{x}',
  '/t/{x:[0-9]+}', // the template's text
  '/t/{x:[0-9a-z]+}',
  '/foo/bar',
  '/foo/{x}',
] as const

const tree = (templates: ReadonlyArray<string>) =>
  routes(Object.fromEntries(templates.map((template, index) => [`t${index}`, at(template)])))

const rows = [
  ['more literal characters', 'GET /abc/d', '/abc/{x}'],
  ['in the whole template, not in its beginning', 'GET /a/bcd/z', '/{x}/bcd/{y}'],
  ['more variables', 'GET /p-q', '/{x}-{y}'],
  ['more expressions', 'GET /n/1', '/n/{x:\\d+}'],
  ['where the expression matches', 'GET /n/a', '/n/{x}'],
  ['the text of the template', 'GET /t/1', '/t/{x:[0-9]+}'],
  ['where it matches', 'GET /t/a', '/t/{x:[0-9a-z]+}'],
  ['a literal beats a variable', 'GET /foo/bar', '/foo/bar'],
  ['as a whole segment', 'GET /foo/bar_value', '/foo/{x}'],
  ['with matrix parameters too', 'GET /foo/bar;a=1', '/foo/bar'],
  ['with an escape too', 'GET /foo/%62ar', '/foo/bar'],
] as const

contract('precedence', tree(ranked), (test, call) => answers(test, call, rows))
contract('precedence in another order', tree(ranked.toReversed()), (test, call) =>
  answers(test, call, rows),
)

const hello = routes({ one: at('/hello/{id}') })
const more = routes({ bar: at('/hello/{id}/bar'), deep: at('/hello/{id}/{x:.+}/end') })
const overlap = routes({
  hello,
  more,
  variable: at('/foo/{p}'),
  below: at('/foo/bar/{p}'),
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

contract('templates that overlap', pipe(overlap, prefix('/x')), (test, call) =>
  answers(test, call, [
    ['a prefix is no match', 'GET /x/foo/bar', '/x/foo/{p}'],
    ['with something behind it', 'GET /x/foo/bar/1', '/x/foo/bar/{p}'],
    ['what another tree begins', 'GET /x/hello/1', '/x/hello/{id}'],
    ['goes on in this one', 'GET /x/hello/1/bar', '/x/hello/{id}/bar'],
    ['also past what looked better', 'GET /x/hello/1/bar/end', '/x/hello/{id}/{x:.+}/end'],
    ['and ends where neither goes on', 'GET /x/hello/1/bar/2', 404],
    ['the method is found at the less precise one', 'POST /x/pages/index', 'index'],
    ['and at the more precise one', 'GET /x/pages/index', 'page'],
  ]),
)
