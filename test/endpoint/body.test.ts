import * as assert from 'uvu/assert'
import {
  allFields,
  allUploads,
  int,
  json,
  part,
  upload,
  uploads,
  body,
  form,
  path,
  post,
  string,
  text,
} from '../../src/index.ts'
import type { Endpoint } from '../../src/endpoint/endpoint.ts'
import { describe, table } from '../support/describe.ts'
import { pipe } from 'fp-ts/lib/function.js'

const structured = json(int)
// the type checker rejects a second body
const again = body(structured) as <E>(endpoint: E) => E

describe('form parts', (test) => {
  table(
    test,
    [
      ['upload', upload, undefined],
      ['uploads', uploads, undefined],
      ['allUploads', allUploads, undefined],
      ['allFields', allFields, undefined],
      ['part', part(structured), structured],
    ] as const,
    (kind, value, representation) =>
      assert.equal(value, { _tag: 'FormPart', kind, representation, isOptional: false }),
  )
})

const add = pipe(path('/books'), post())

describe('body', (test) => {
  test('keeps the order of its representations', () => {
    const one = json(string)
    assert.equal(pipe(add, body(one, text)).definition.bodies, [one, text])
  })
  test('a codec of a single value becomes text/plain', () => {
    const [representation] = pipe(add, body(int)).definition.bodies
    assert.is(representation?.mediaType, 'text/plain')
    assert.equal(representation?.format, { _tag: 'Text', codec: int })
  })

  const resource = pipe(path('/books'), body(text))
  const conflict = 'the body is declared twice: keep one'
  table<readonly [string, Endpoint<unknown>, ReadonlyArray<unknown>, ReadonlyArray<string>]>(
    test,
    [
      ['an operation inherits the body of its resource', pipe(resource, post()), [text], []],
      [
        'a body of an operation replaces the body of its resource',
        pipe(resource, post(), body(structured)),
        [structured],
        [],
      ],
      ['an empty body removes the body of the resource', pipe(resource, post(), body()), [], []],
      ['a resource declares two bodies', pipe(resource, again, post()), [structured], [conflict]],
      ['an operation declares two bodies', pipe(add, body(text), again), [structured], [conflict]],
      [
        'an operation replaces the body of its resource twice',
        pipe(resource, post(), body(text), again),
        [structured],
        [conflict],
      ],
    ],
    (_, { definition }, bodies, conflicts) => {
      assert.equal(definition.bodies, bodies)
      assert.equal(definition.conflicts, conflicts)
    },
  )

  test('a resource is not changed by its operations', () => {
    pipe(resource, post(), body(structured))
    assert.equal(resource.definition.bodies, [text])
  })
})

describe('form', (test) => {
  test('merges codecs and parts of several calls', () => {
    const { definition } = pipe(add, form({ title: string, cover: upload }), form({ pages: int }))
    assert.equal(
      [...definition.parameters.form],
      [
        ['title', string],
        ['cover', upload],
        ['pages', int],
      ],
    )
    assert.equal(definition.conflicts, [])
  })
  test('a name that is declared twice is recorded as a conflict', () =>
    assert.equal(pipe(add, form({ a: string }), form({ a: upload })).definition.conflicts, [
      'the form parameter "a" is declared twice',
    ]))
})
