/** Path templates, the ends of the type errors that they cause, and the configuration errors (FW-ROUTE-001). Both tests use this table. */

/** The end of the last line of the error message for a template, and the configuration error. */
export type TemplateRow = readonly [template: string, typeError: string, startError: string]

const single = 'variables are written {id}'
const several = 'a variable for several segments is written {rest:.+}'
const required = 'a variable is required: declare a second path without it'
const type = "the type of a variable is a codec: path('/{id}', { id: int })"
const declareQuery = 'declare query parameters with query({ … })'
const unclosed = 'a brace is not closed: add }'
const unopened = 'a brace is not opened: remove }'
const group = (text: string) => `a path has no groups: remove ${text}, or write %28`

const invalid = (variable: string, remedy: string) => `invalid variable "${variable}": ${remedy}`
const write = (name: string) => `write {${name}}`
const severalIn = (name: string) => `write {${name}:.+} for several segments`
const requiredIn = (name: string) =>
  `write {${name}}, which is required, and declare a second path without it`
const typeIn = (name: string) => `write {${name}}, and declare its type as a codec, such as int`

export const invalidTemplates: ReadonlyArray<TemplateRow> = [
  ['/:id', single, invalid(':id', write('id'))],
  [':id', single, invalid(':id', write('id'))],
  ['/:1', single, invalid(':1', write('1'))],
  ['/books/{isbn}/:page', single, invalid(':page', write('page'))],
  ['/:from-:to', single, invalid(':from', write('from'))],
  ['/:id.json', single, invalid(':id', write('id'))],
  ['/:id(\\d+)', single, invalid(':id', write('id'))],
  ['/:id?', required, invalid(':id', requiredIn('id'))],
  ['/:path*', several, invalid(':path', severalIn('path'))],
  ['/:path(.*)', several, invalid(':path', severalIn('path'))],
  ['/books/[id]', single, invalid('[id]', write('id'))],
  ['/books/[id].json', single, invalid('[id].json', write('id'))],
  ['/books/[id]-x', single, invalid('[id]-x', write('id'))],
  ['/books/[id', single, invalid('[id', write('id'))],
  ['/[id=int]/x', single, invalid('[id=int]', write('id'))],
  ['/[[lang]]/x', required, invalid('[[lang]]', requiredIn('lang'))],
  ['/files/[...slug]', several, invalid('[...slug]', severalIn('slug'))],
  ['/[[...slug]]', several, invalid('[[...slug]]', severalIn('slug'))],
  ['/<id>', single, invalid('<id>', write('id'))],
  ['/<id>.json', single, invalid('<id>.json', write('id'))],
  ['/<int:id>/x', single, invalid('<int:id>', write('id'))],
  ['/<path:rest>', several, invalid('<path:rest>', severalIn('rest'))],
  ['/books/${isbn}', single, invalid('${…}', 'write {…}')],
  ['*', several, invalid('*', severalIn('rest'))],
  ['/*', several, invalid('*', severalIn('rest'))],
  ['/files/**', several, invalid('**', severalIn('rest'))],
  ['/**/x', several, invalid('**', severalIn('rest'))],
  ['/*path', several, invalid('*path', severalIn('path'))],
  ['/files/*.pdf', several, invalid('*.pdf', severalIn('rest'))],
  ['/books/*?', several, invalid('*?', severalIn('rest'))],
  ['/(.*)', several, invalid('(.*)', severalIn('rest'))],
  ['/(shop)/books', group('(shop)'), 'unexpected group "(shop)": remove it, or write %28'],
  ['/(a|b)', group('(a|b)'), 'unexpected group "(a|b)": remove it, or write %28'],
  ['/{id?}', required, invalid('{id?}', requiredIn('id'))],
  ['/books/{ id? }', required, invalid('{ id? }', requiredIn('id'))],
  ['/users{/:id}', required, invalid('{/:id}', requiredIn('id'))],
  ['/{...rest}', several, invalid('{...rest}', severalIn('rest'))],
  ['/{ ...rest }', several, invalid('{ ...rest }', severalIn('rest'))],
  ['/{rest...}', several, invalid('{rest...}', severalIn('rest'))],
  ['/{*rest}', several, invalid('{*rest}', severalIn('rest'))],
  ['/{ *rest }', several, invalid('{ *rest }', severalIn('rest'))],
  ['/{**rest}', several, invalid('{**rest}', severalIn('rest'))],
  ['/{rest*}', several, invalid('{rest*}', severalIn('rest'))],
  ['/{+path}', several, invalid('{+path}', severalIn('path'))],
  ['/{proxy+}', several, invalid('{proxy+}', severalIn('proxy'))],
  ['/{id:int}', type, invalid('{id:int}', typeIn('id'))],
  ['/{ id : uuid }', type, invalid('{ id : uuid }', typeIn('id'))],
  ['/books{/id}', single, invalid('{/id}', 'write /{id}')],
  ['/{}', single, invalid('{}', 'expected {name} or {name:regex}')],
  ['/{ }', single, invalid('{ }', 'expected {name} or {name:regex}')],
  ['/{:\\d+}', single, invalid('{:\\d+}', 'expected {name} or {name:regex}')],
  ['/{a b}', single, invalid('{a b}', 'expected {name} or {name:regex}')],
  ['/{{a}}', single, invalid('{{a}}', 'expected {name} or {name:regex}')],
  ['/{#id}', single, invalid('{#id}', 'expected {name} or {name:regex}')],
  ['/books{?page}', declareQuery, invalid('{?page}', declareQuery)],
  ['/books?page={page}', declareQuery, `unexpected "?": ${declareQuery}`],
  ['/{id:[0-9]{4}', unclosed, 'unclosed "{" at position 1: add "}"'],
  ['/{id:\\}', unclosed, 'unclosed "{" at position 1: add "}"'], // the brace is escaped
  ['/{id}}', unopened, 'unexpected "}" at position 5: remove it'],
  ['/{id:[}]}', unopened, 'unexpected "}" at position 8: remove it'], // character classes do not escape braces
]

/** Templates that contain characters of invalid ones. */
export const validTemplates: ReadonlyArray<string> = [
  '',
  '/',
  '/books/{isbn}',
  '/{year:[0-9]{4}}/{m}',
  '/{a:(x{2}){3}}',
  '/{ id : \\d+ }',
  '/{id:a b}',
  '/{time:\\d\\d:\\d\\d}',
  '/{rest:.*}',
  '/{rest:[a-z]+}',
  '/{rest:a+}',
  '/{rest:a?}',
  '/{prefix-x_y.z}',
  '/{a}{b}',
  '/{a:\\{}/b', // an escaped brace
  '/{a:\\}}',
  '/{a:\\\\}',
  '/a:b',
  '/{id}:archive',
  '/:',
  '/books:batch',
  '/books(1)',
  '/books({id})',
  '/({id})',
  '/(a|b)*{id}',
  '/a*/b**',
  '/a[b]',
  '/*{id}',
  '/$metadata',
  '/%2A/%28a%29',
  '/{path:[^/]+(?:/[^/]+)*}',
  '/{path:[^/*]+}',
  '/{kind:interval}',
  '/{code:...}',
]
