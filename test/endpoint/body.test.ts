import * as assert from 'uvu/assert'
import {
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
import { describe, table } from '../support/describe.ts'
import { pipe } from 'fp-ts/lib/function.js'

describe('form parts', (test) => {
  const structured = json(int)
  table(
    test,
    [
      ['upload', upload, undefined],
      ['uploads', uploads, undefined],
      ['allUploads', allUploads, undefined],
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
