import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyRepresentation } from '../../src/endpoint/representation.ts'
import { hal } from '../../src/hal.ts'
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
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'
import { describe, table } from '../support/describe.ts'
import { issuesOf } from '../support/plan.ts'

const Named = t.type({ name: t.string }, 'named')
const treeWith = (representation: AnyRepresentation): Parameters<typeof issuesOf>[0] =>
  routes({
    operation: pipe(
      path('/operation'),
      get(),
      produces(representation),
      handle(() => undefined),
    ),
  })
const withMediaType = (mediaType: string) => (representation: AnyRepresentation) => ({
  ...representation,
  mediaType,
})

describe('an unsupported declared charset is a configuration error', (test) => {
  table<readonly [string, AnyRepresentation, RegExp]>(
    test,
    [
      [
        'text',
        withMediaType('text/plain;charset=windows-1251')(text),
        /use UTF-8, US-ASCII or ISO-8859-1/,
      ],
      ['an unknown charset', withMediaType('text/plain;charset=unknown')(text), /use UTF-8/],
      ['UTF-16', withMediaType('text/plain;charset=utf-16')(text), /use UTF-8/],
      ['HTML', withMediaType('text/html;charset=Shift_JIS')(html), /use UTF-8/],
      ['a media range', withMediaType('text/*;charset=unknown')(text), /use UTF-8/],
      ['a text stream', withMediaType('text/plain;charset=koi8-r')(textStream), /use UTF-8/],
      [
        'json',
        withMediaType('application/json;charset=ISO-8859-1')(json(Named)),
        /use UTF-8 or US-ASCII/,
      ],
      [
        'rawJson',
        withMediaType('application/json;charset=ISO-8859-1')(rawJson),
        /use UTF-8 or US-ASCII/,
      ],
      [
        'hal',
        withMediaType('application/hal+json;charset=ISO-8859-1')(hal(Named)),
        /use UTF-8 or US-ASCII/,
      ],
      [
        'xml',
        withMediaType('application/xml;charset=ISO-8859-1')(xml(Named)),
        /use UTF-8 or US-ASCII/,
      ],
      [
        'ndjson',
        withMediaType('application/x-ndjson;charset=US-ASCII')(ndjson(Named)),
        /use UTF-8,/,
      ],
      ['sse', withMediaType('text/event-stream;charset=ISO-8859-1')(sse(string)), /use UTF-8,/],
      [
        'event data',
        sse(withMediaType('text/plain;charset=ISO-8859-1')(text) as typeof text),
        /event streams are always encoded in UTF-8/,
      ],
      [
        'formMap',
        withMediaType('application/x-www-form-urlencoded;charset=ISO-8859-1')(formMap),
        /use UTF-8,/,
      ],
      [
        'multipart',
        withMediaType('multipart/form-data;charset=ISO-8859-1')(multipartOutput),
        /use UTF-8,/,
      ],
    ],
    (_, representation, remedy) => {
      const issues = issuesOf(treeWith(representation))
      assert.equal(
        issues.map(({ code }) => code),
        ['FW-MEDIA-001'],
      )
      assert.match(issues[0]?.remedy ?? '', remedy)
    },
  )
  test('of a declared failure', () => {
    const failing = pipe(
      path('/it'),
      get(),
      fails(404, as('text/plain;charset=unknown')(text)),
      handle(() => undefined),
    )
    assert.is(issuesOf(routes({ failing }))[0]?.code, 'FW-MEDIA-001')
  })
  test('of a response of an error mapper', () => {
    const it = pipe(
      path('/it'),
      get(),
      handle(() => undefined),
    )
    const mapper = mapError(
      RangeError,
      { fails: { 418: as('text/plain;charset=unknown')(text) } },
      () => reply(418, ''),
    )
    assert.is(issuesOf(pipe(routes({ it }), withMapper(mapper)))[0]?.code, 'FW-MEDIA-001')
  })
  test('of a declared Content-Type header', () => {
    const it = pipe(
      path('/it'),
      get(),
      produces(text),
      responseHeader('content-type', 'text/plain;charset=unknown'),
      handle(() => ''),
    )
    assert.is(issuesOf(routes({ it }))[0]?.code, 'FW-MEDIA-001')
  })
})
