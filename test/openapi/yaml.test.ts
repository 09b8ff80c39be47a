import { deepStrictEqual } from 'node:assert/strict'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { openApi } from '../../src/openapi.ts'
import { yamlOf } from '../../src/openapi/yaml.ts'
import { library } from '../../src/showcase/api.ts'
import { describe, repetitions, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const versions = ['1.1', '1.2'] as const

/** Strings of one or more characters that are special in YAML, and words with a meaning. */
const special = fc
  .array(
    fc.constantFrom(
      ...Array.from(':#-?,[]{}&*!|>\'"%@`~=<. \n\t\\/0123456789eExyYnN_+'),
      'true',
      'No',
      'null',
      '.inf',
      '0x1F',
      '1e3',
      '2001-12-14',
      '---',
      '...',
      '<<',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\u007f',
      '\ud800',
      '😀',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const string = fc.oneof(special, unicodeString, fc.string({ unit: 'grapheme' }))

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    string,
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(string, tie('value'), { maxKeys: 4 }),
  ),
})).value

const sameJson = (value: unknown): void => {
  const expected = JSON.parse(JSON.stringify(value))
  const yaml = yamlOf(value)
  // `assert.equal` compares members named `constructor` of objects
  for (const version of versions) deepStrictEqual(parse(yaml, { version }), expected, yaml)
}

describe('yamlOf', (test) => {
  test('parsers of YAML 1.1 and 1.2 read the same JSON value', () =>
    fc.assert(fc.property(json, sameJson), { numRuns: repetitions(100, 2000) }))
  test('long keys are written as explicit keys', () => {
    const key = 'k'.repeat(2000)
    sameJson({ [key]: { [key]: 1 }, [`${key} `]: [], a: { [key]: [[]] } })
  })
  test('omits undefined members', () =>
    assert.is(yamlOf({ a: undefined, b: { c: undefined } }), 'b: {}\n'))
  test('the document of the showcase is the same in both formats', () => {
    const document = openApi(library(), { info: { title: 'Library', version: '1.0.0' } })
    assert.ok(Object.keys(document.paths ?? {}).length > 10)
    sameJson(document)
  })
  table(
    test,
    [
      [
        { '/books/{id}': { get: { tags: ['books'] } } },
        '/books/{id}:\n  get:\n    tags:\n      - books\n',
      ],
      [
        { responses: { 200: { description: 'OK' } } },
        'responses:\n  "200":\n    description: OK\n',
      ],
      [{ $ref: '#/components/schemas/Book' }, '"$ref": "#/components/schemas/Book"\n'],
      [[{ name: 'id', in: 'path' }], '- name: id\n  in: path\n'],
      [[[1, [2]], []], '- - 1\n  - - 2\n- []\n'],
      [{ no: 'yes', maximum: 1e21 }, '"no": "yes"\nmaximum: 1.0e+21\n'],
      ['application/problem+json', 'application/problem+json\n'],
    ],
    (value, yaml) => assert.is(yamlOf(value), yaml),
  )
})
