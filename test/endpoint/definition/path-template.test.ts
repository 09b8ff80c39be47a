import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as Template from '../../../src/endpoint/definition/path-template.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'
import { invalidTemplates, validTemplates } from '../../support/path-templates.ts'

const literal = (text: string): Template.Literal => ({ _tag: 'Literal', text })
const variable = (name: string, regex?: string): Template.Variable => ({
  _tag: 'Variable',
  name,
  regex,
})

describe('Template.parse', (test) => {
  table<readonly [string, Template.Template]>(
    test,
    [
      ['', []],
      ['/', [literal('/')]],
      ['/plain', [literal('/plain')]],
      ['/a/b.c/d~e', [literal('/a/b.c/d~e')]],
      ['{id}', [variable('id')]],
      ['/books/{isbn}', [literal('/books/'), variable('isbn')]],
      [
        '/{year:[0-9]{4}}/{m}',
        [literal('/'), variable('year', '[0-9]{4}'), literal('/'), variable('m')],
      ],
      ['/{a:(x{2}){3}}', [literal('/'), variable('a', '(x{2}){3}')]], // braces in braces
      ['/{ id : \\d+ }', [literal('/'), variable('id', '\\d+')]], // spaces around name and expression
      ['/{id:a b}', [literal('/'), variable('id', 'a b')]], // spaces inside the expression are kept
      ['/{time:\\d\\d:\\d\\d}', [literal('/'), variable('time', '\\d\\d:\\d\\d')]], // the first colon separates
      ['/{id:}', [literal('/'), variable('id')]], // an empty expression
      ['/{rest:.*}', [literal('/'), variable('rest', '.*')]],
      ['/prefix-{id}.{ext}', [literal('/prefix-'), variable('id'), literal('.'), variable('ext')]],
      ['/{id}Other', [literal('/'), variable('id'), literal('Other')]],
      ['/{a}{b}', [literal('/'), variable('a'), variable('b')]],
      [
        '/{a-b}/{c_d}/{e.f}/{9}',
        [
          literal('/'),
          variable('a-b'),
          literal('/'),
          variable('c_d'),
          literal('/'),
          variable('e.f'),
          literal('/'),
          variable('9'),
        ],
      ],
      ['/{a:\\{}/b', [literal('/'), variable('a', '\\{'), literal('/b')]], // an escaped brace
      ['/{a:\\}}', [literal('/'), variable('a', '\\}')]],
      ['/{a:\\\\}', [literal('/'), variable('a', '\\\\')]], // an escaped backslash
      ['/a:b', [literal('/a:b')]], // a colon inside a segment
      ['/{id}:archive', [literal('/'), variable('id'), literal(':archive')]],
      ['/:', [literal('/:')]],
      // allowed in a path, and not the syntax of another framework
      ['/books:batch', [literal('/books:batch')]],
      ['/books(1)', [literal('/books(1)')]],
      ['/books({id})', [literal('/books('), variable('id'), literal(')')]],
      ['/({id})', [literal('/('), variable('id'), literal(')')]],
      ['/(a|b)*{id}', [literal('/(a|b)*'), variable('id')]],
      ['/a*/b**', [literal('/a*/b**')]],
      ['/a[b]', [literal('/a[b]')]],
      ['/*{id}', [literal('/*'), variable('id')]],
      ['/$metadata', [literal('/$metadata')]],
      ['/%2A/%28a%29', [literal('/%2A/%28a%29')]],
      ['/{path:[^/]+(?:/[^/]+)*}', [literal('/'), variable('path', '[^/]+(?:/[^/]+)*')]],
      ['/{path:[^/*]+}', [literal('/'), variable('path', '[^/*]+')]],
      ['/{kind:interval}', [literal('/'), variable('kind', 'interval')]],
    ],
    (text, expected) => assert.equal(Template.parse(text), E.right(expected)),
  )
})

const invalidName = 'each variable is written {id}: a name consists of letters, digits, -, _ and .'

describe('Template.parse: invalid templates', (test) => {
  table<readonly [string, string]>(
    test,
    [
      ...invalidTemplates.map(
        ([text, remedy, invalid]) => [text, `unexpected "${invalid}": ${remedy}`] as const,
      ),
      // the compiler accepts these
      ['/{id', 'unexpected "{id": a brace is not closed: add }'],
      ['/a}', 'unexpected "}": a brace is not opened: remove }'],
      ['/{a/b}', `unexpected "{a/b}": ${invalidName}`],
      ['/{é}', `unexpected "{é}": ${invalidName}`],
    ],
    (text, expected) => assert.equal(Template.parse(text), E.left(expected)),
  )
  table<readonly [string]>(
    test,
    validTemplates.map((text): readonly [string] => [text]),
    (text) => assert.ok(E.isRight(Template.parse(text))),
  )
})

describe('Template.variables', (test) => {
  table<readonly [string, ReadonlyArray<string>]>(
    test,
    [
      ['/plain', []],
      ['/{b}/{a}/x/{c:\\d+}', ['b', 'a', 'c']],
      ['/{a}/{a}', ['a', 'a']], // the endpoint reports duplicates
    ],
    (text, expected) =>
      assert.equal(
        pipe(
          Template.parse(text),
          E.map(Template.variables),
          E.map((found) => found.map(({ name }) => name)),
        ),
        E.right(expected),
      ),
  )
})

describe('Template.join', (test) => {
  table(
    test,
    [
      ['', '', ''],
      ['', '/books', '/books'],
      ['/books', '', '/books'],
      ['/books', '/{isbn}', '/books/{isbn}'],
      ['/books/', '/{isbn}', '/books/{isbn}'],
      ['/books', '{isbn}', '/books/{isbn}'],
      ['/books//', '//{isbn}', '/books/{isbn}'],
      ['', 'books', '/books'],
      ['/', '/', ''],
      ['/books', '/', '/books'],
      ['/', '/books', '/books'],
      ['/books', '/{isbn}/', '/books/{isbn}/'], // the router handles a trailing slash
    ] as const,
    (first, second, expected) => assert.is(Template.join(first, second), expected),
  )
})

/** Formats a template. */
const formatTemplate = (parts: Template.Template): string =>
  parts
    .map((templatePart) =>
      templatePart._tag === 'Literal'
        ? templatePart.text
        : `{${templatePart.name}${templatePart.regex === undefined ? '' : `:${templatePart.regex}`}}`,
    )
    .join('')

describe('Template', (test) => {
  const name = fc.stringMatching(/^[\w.-]+$/).filter((text) => !text.includes('...'))
  const regex = fc.constantFrom(undefined, '\\d+', '[0-9]{4}', '(?:a{2}b)*', '\\{', 'a:b')
  const part = fc.oneof(
    fc.stringMatching(/^[a-z0-9/.-]+$/).map(literal),
    fc.tuple(name, regex).map(([variableName, expression]) => variable(variableName, expression)),
  )
  // adjacent literals would be parsed as one
  const template = fc
    .array(part)
    .map((parts) =>
      parts.filter(
        (current, index) => current._tag === 'Variable' || parts[index - 1]?._tag !== 'Literal',
      ),
    )
  roundTrip(test, template, formatTemplate, Template.parse, (actual, expected) =>
    assert.equal(actual, E.right(expected)),
  )

  const braces = fc.oneof(fc.string(), fc.stringMatching(/^[{}:\\/a ]*$/))
  law(test, 'any text results in a template or an error message', braces, (text) =>
    pipe(
      Template.parse(text),
      E.match(
        (message) => assert.ok(message.length > 0),
        (parts) =>
          assert.ok(
            parts.every(
              (templatePart) => templatePart._tag === 'Variable' || templatePart.text !== '',
            ),
          ),
      ),
    ),
  )

  const slashes = fc.stringMatching(/^\/*$/)
  law(
    test,
    'joined templates have exactly one slash between them',
    fc.tuple(slashes, slashes),
    ([a, b]) => assert.is(Template.join(`/x${a}`, `${b}{y}`), '/x/{y}'),
  )
  const path = fc.stringMatching(/^[/a]*$/)
  law(test, 'joining is associative', fc.tuple(path, path, path), ([a, b, c]) =>
    assert.is(Template.join(Template.join(a, b), c), Template.join(a, Template.join(b, c))),
  )
})
