import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, form, int, json, path, post, string, text, upload } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

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
