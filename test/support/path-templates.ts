/** Path templates, the remedies in the type errors and configuration errors (FW-ROUTE-001) that they cause, and the text that the latter quote. */

/** The remedy for a template, which both errors state, and the invalid text. */
export type TemplateRow = readonly [template: string, remedy: string, invalid: string]

const single = 'variables are written {id}'
const interpolation = 'variables are written {id}; ${…} requires backticks'
const name = 'each variable is written {id}: a name consists of letters, digits, -, _ and .'
const regex = 'regular expressions are written {id:[0-9]+}, without ^ and $'
const several =
  'a variable for one or more segments is written {rest:.+}; for none, declare a second path'
const optional =
  'variables are always required: remove ?, and declare a second path without the variable'
const noDefault = 'a variable has no default value: declare a second path without the variable'
const brackets = 'variables are always required: write {id}, and declare a second path without it'
const optionalSegment =
  'variables are always required: write /{id}, and declare a second path without it'
const slash = 'a variable is written /{id}; a path has no optional parts: declare two paths'
const codec =
  "the type of a variable is a codec, such as int or atLeast(1)(int): path('/{id}', { id: int })"
const query = 'declare query parameters with query({ … })'
const matrix = 'declare matrix parameters with matrix({ … })'
const end = 'a path is always compared to its end: remove {$}'
const parts = 'a path has no optional parts: declare two paths'
const alternatives = 'alternatives are written {name:a|b}, or as several paths'
const group = 'a path has no groups: remove the segment, or write %28 and %29 for ( and )'
const unclosed = 'a brace is not closed: add }'
const unopened = 'a brace is not opened: remove }'
const escape =
  'a brace in a regular expression needs a backslash before it, which is doubled in a string literal'

export const invalidTemplates: ReadonlyArray<TemplateRow> = [
  // Express, Fastify, Hono, Rails and Phoenix
  ['/:id', single, ':id'],
  [':id', single, ':id'],
  ['/:1', single, ':1'],
  ['/books/{isbn}/:page', single, ':page'],
  ['/:from-:to', single, ':from'],
  ['/{from}-:to', single, ':to'],
  ['/:id.json', single, ':id'],
  ['/books.:format', single, ':format'],
  ['/:id(\\d+)', regex, ':id(\\d+)'],
  ['/:id(^\\d+$).png', regex, ':id(^\\d+$)'],
  ['/:id{[0-9]+}', regex, ':id{[0-9]+}'],
  ['/:id{\\d{4}}', regex, ':id{\\d{4}}'],
  ['/:type{(a|b)}', regex, ':type{(a|b)}'],
  ['/:id?', optional, ':id?'],
  ['/:id(\\d+)?', optional, ':id(\\d+)?'],
  ['/:path*', several, ':path*'],
  ['/:path+', several, ':path+'],
  ['/:path(.*)', several, ':path(.*)'],
  ['/:file{.+\\.png}', regex, ':file{.+\\.png}'],
  ['/:path{.+}', several, ':path{.+}'],
  ['/users{/:id}', optionalSegment, '{/:id}'],
  ['/books(/:id)', parts, '(/'],
  ['/books(.:format)', parts, '(.:'],
  ['/books[/{id}]', parts, '[/'],
  // Next.js, SvelteKit, Astro and Nuxt
  ['/books/[id]', single, '[id]'],
  ['/books/[id].json', single, '[id]'],
  ['/books/[id]-x', single, '[id]'],
  ['/books/[id', single, '[id'],
  ['/[id=int]/x', codec, '[id=int]'],
  ['/[[lang]]/x', brackets, '[[lang]]'],
  ['/files/[...slug]', several, '[...slug]'],
  ['/[[...slug]]', several, '[[...slug]]'],
  ['/[...]', several, '[...]'],
  ['/(shop)/books', group, '(shop)'],
  // Flask, Django, Bottle and Rocket
  ['/<id>', single, '<id>'],
  ['/<id>.json', single, '<id>'],
  ['/<int:id>/x', codec, '<int:id>'],
  ['/<id:int>', codec, '<id:int>'],
  ['/<path:rest>', several, '<path:rest>'],
  ['/<rest..>', several, '<rest..>'],
  ['^books/(?P<id>[0-9]{4})/$', regex, '(?'],
  // a template literal without backquotes
  ['/books/${isbn}', interpolation, '${…}'],
  // wildcards and expressions
  ['*', several, '*'],
  ['/*', several, '*'],
  ['/files/**', several, '**'],
  ['/**/x', several, '**'],
  ['/*path', several, '*path'],
  ['/files/*.pdf', single, '*'],
  ['/books/*?', several, '*?'],
  ['/(.*)', several, '(.*)'],
  ['/(\\d+)', regex, '(\\d+)'],
  ['/([0-9]+)/x', regex, '([0-9]+)'],
  ['/(a|b)', alternatives, '(a|b)'],
  // variables in braces: ASP.NET, Spring, Ktor, Go, Symfony, AWS and RFC 6570
  ['/{id?}', optional, '{id?}'],
  ['/books/{ id? }', optional, '{ id? }'],
  ['/{id:int?}', optional, '{id:int?}'],
  ['/{page=1}', noDefault, '{page=1}'],
  ['/{...rest}', several, '{...rest}'],
  ['/{ ...rest }', several, '{ ...rest }'],
  ['/{rest...}', several, '{rest...}'],
  ['/{...}', several, '{...}'],
  ['/{*rest}', several, '{*rest}'],
  ['/{ *rest }', several, '{ *rest }'],
  ['/{**rest}', several, '{**rest}'],
  ['/{rest*}', several, '{rest*}'],
  ['/{+path}', several, '{+path}'],
  ['/{proxy+}', several, '{proxy+}'],
  ['/{id:int}', codec, '{id:int}'],
  ['/{ id : uuid }', codec, '{ id : uuid }'],
  ['/{id:int:min(1)}', codec, '{id:int:min(1)}'],
  ['/{id<\\d+>}', regex, '{id<\\d+>}'],
  ['/{\\d+}', regex, '{\\d+}'],
  ['/books{/id}', slash, '{/id}'],
  ['/books/{$}', end, '{$}'],
  ['/books{?page}', query, '{?page}'],
  ['/books?page={page}', query, '?page={…}'],
  ['/books?page=1', query, '?page=1'],
  // invalid names
  ['/{}', name, '{}'],
  ['/{ }', name, '{ }'],
  ['/{:\\d+}', regex, '{:\\d+}'],
  ['/{a b}', name, '{a b}'],
  ['/{a,b}', name, '{a,b}'],
  ['/{{a}}', name, '{{a}}'],
  ['/{#id}', name, '{#id}'],
  ['/{;id}', matrix, '{;id}'],
  ['/{$id}', name, '{$id}'],
  // braces
  ['/{id:[0-9]{4}', unclosed, '{id:[0-9]{4}'],
  ['/{id:\\}', unclosed, '{id:\\}'], // the brace is escaped
  ['/{id}}', unopened, '}'],
  ['/{id:[}]}', escape, '}'], // character classes do not escape braces
  ['/{id:[^}/]+}', escape, '}'],
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
  '/{a:\\[}',
  '/{a:[\\}]}',
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
