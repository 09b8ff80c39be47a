/** Charsets that a tree declares and that cannot be written. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import { hal } from '../../../src/hal.ts'
import {
  as,
  fails,
  formMap,
  get,
  handle,
  html,
  json,
  mapError,
  multipartOutput,
  ndjson,
  path,
  produces,
  rawJson,
  reply,
  responseHeader,
  routes,
  sse,
  string,
  text,
  textStream,
  withMapper,
} from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { mistakesIn } from '../../support/configuration-errors.ts'

const Named = t.type({ name: t.string }, 'named')
const produced = (one: AnyRepresentation): Parameters<typeof mistakesIn>[0] =>
  routes({
    it: pipe(
      path('/it'),
      get(),
      produces(one),
      handle(() => undefined),
    ),
  })
const typed = (type: string) => (one: AnyRepresentation) => ({ ...one, mediaType: type })

describe('A declared charset that cannot be written is a configuration error', (test) => {
  table<readonly [string, AnyRepresentation, RegExp]>(
    test,
    [
      [
        'text',
        typed('text/plain;charset=windows-1251')(text),
        /must be UTF-8, US-ASCII or ISO-8859-1/,
      ],
      ['an unknown charset', typed('text/plain;charset=klingon')(text), /must be UTF-8/],
      ['UTF-16', typed('text/plain;charset=utf-16')(text), /must be UTF-8/],
      ['html', typed('text/html;charset=Shift_JIS')(html), /must be UTF-8/],
      ['a range', typed('text/*;charset=klingon')(text), /must be UTF-8/],
      ['a text stream', typed('text/plain;charset=koi8-r')(textStream), /must be UTF-8/],
      [
        'json',
        typed('application/json;charset=ISO-8859-1')(json(Named)),
        /must be UTF-8 or US-ASCII/,
      ],
      [
        'rawJson',
        typed('application/json;charset=ISO-8859-1')(rawJson),
        /must be UTF-8 or US-ASCII/,
      ],
      [
        'hal',
        typed('application/hal+json;charset=ISO-8859-1')(hal(Named)),
        /must be UTF-8 or US-ASCII/,
      ],
      ['xml', typed('application/xml;charset=ISO-8859-1')(xml(Named)), /must be UTF-8 or US-ASCII/],
      ['ndjson', typed('application/x-ndjson;charset=US-ASCII')(ndjson(Named)), /must be UTF-8,/],
      ['sse', typed('text/event-stream;charset=ISO-8859-1')(sse(string)), /must be UTF-8,/],
      [
        'event data',
        sse(typed('text/plain;charset=ISO-8859-1')(text) as typeof text),
        /event streams are UTF-8/,
      ],
      [
        'formMap',
        typed('application/x-www-form-urlencoded;charset=ISO-8859-1')(formMap),
        /must be UTF-8,/,
      ],
      [
        'multipart',
        typed('multipart/form-data;charset=ISO-8859-1')(multipartOutput),
        /must be UTF-8,/,
      ],
    ],
    (_, one, remedy) => {
      const mistakes = mistakesIn(produced(one))
      assert.equal(
        mistakes.map(({ code }) => code),
        ['FW-MEDIA-001'],
      )
      assert.match(mistakes[0]?.remedy ?? '', remedy)
    },
  )
  test('of a failure', () => {
    const failing = pipe(
      path('/it'),
      get(),
      fails(404, as('text/plain;charset=klingon')(text)),
      handle(() => undefined),
    )
    assert.is(mistakesIn(routes({ failing }))[0]?.code, 'FW-MEDIA-001')
  })
  test('of a mapper', () => {
    const it = pipe(
      path('/it'),
      get(),
      handle(() => undefined),
    )
    const mapper = mapError(
      RangeError,
      { fails: { 418: as('text/plain;charset=klingon')(text) } },
      () => reply(418, ''),
    )
    assert.is(mistakesIn(pipe(routes({ it }), withMapper(mapper)))[0]?.code, 'FW-MEDIA-001')
  })
  test('of a header that an operation declares', () => {
    const it = pipe(
      path('/it'),
      get(),
      produces(text),
      responseHeader('content-type', 'text/plain;charset=klingon'),
      handle(() => ''),
    )
    assert.is(mistakesIn(routes({ it }))[0]?.code, 'FW-MEDIA-001')
  })
})
