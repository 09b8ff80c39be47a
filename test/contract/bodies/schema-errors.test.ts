/** Configuration errors of schemas of libraries in HAL and XML. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { hal } from '../../../src/hal.ts'
import {
  body,
  constrained,
  entity,
  get,
  handle,
  json,
  maxLength,
  named,
  path,
  post,
  produces,
  query,
  routes,
  strict,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { withXml, xml, xmlContext, xmlRootElement } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'

const Book = z.object({ id: z.int(), title: z.string() })

const compiling = (tree: AnyNode) => () => void inMemory(tree as never)

const producing = (representation: unknown): AnyNode =>
  routes({
    operation: pipe(
      path('/'),
      get(),
      produces(representation as AnyRepresentation),
      handle(() => undefined),
    ),
  })

describe('configuration errors of schemas in HAL and XML', (test) => {
  table(
    test,
    [
      [
        'HAL of a list',
        producing(hal(z.array(Book))),
        /FW-HAL-001[^]*the zod schema describes a list: pass the schema of its elements, as in hal\(list\(schema\)\)/,
      ],
      [
        'HAL of text',
        producing(hal(z.string())),
        /FW-HAL-001[^]*the zod schema has no JSON Schema of an object/,
      ],
      [
        'HAL of a schema without JSON Schema',
        producing(hal(v.object({ a: v.string() }))),
        /FW-HAL-001[^]*the valibot schema has no JSON Schema of an object: provide one, or use a codec/,
      ],
      [
        'HAL of an object with a reserved member',
        producing(hal(z.object({ _links: z.string() }))),
        /FW-HAL-001[^]*declares the reserved member _links/,
      ],
      [
        'XML of a schema without a root element',
        // @ts-expect-error a schema has no name for the root element
        producing(xml(z.string())),
        /FW-XML-001[^]*zod: missing root element name: declare it with xmlRootElement/,
      ],
      [
        'XML of an object of a schema',
        producing(xml(xmlRootElement('book')(Book))),
        /FW-XML-001[^]*\/book: unsupported zod schema: in XML, a schema can describe only text; declare elements with t\.type/,
      ],
      [
        'XML of a member with an object of a schema without JSON Schema',
        producing(xml(t.type({ a: named('A')(v.object({ b: v.string() })) }, 'B'))),
        /FW-XML-001[^]*\/b\/a: unsupported valibot schema/,
      ],
      [
        'XML of a list of a schema',
        producing(xml(t.type({ a: named('A')(z.array(z.string())) }, 'B'))),
        /FW-XML-001[^]*\/b\/a: unsupported zod schema/,
      ],
      [
        'withXml for an entity of a schema',
        pipe(producing(entity(Book)) as never, withXml()) as AnyNode,
        /FW-XML-001[^]*zod: missing root element name/,
      ],
    ] as ReadonlyArray<[string, AnyNode, RegExp]>,
    (_, tree, message) => assert.throws(compiling(tree), message),
  )
  test('an XML context of an object of a schema throws a TypeError', () =>
    assert.throws(
      () => xmlContext([xmlRootElement('book')(Book)]),
      (error: unknown) =>
        error instanceof TypeError && /unsupported zod schema/.test(error.message),
    ))
})

describe('schemas inside of codecs, which TypeScript rejects', (test) => {
  const schema: never = Book as never
  const remedy = /FW-MEDIA-003[^]*a codec contains a zod schema: convert it with fromStandardSchema/
  table(
    test,
    [
      ['a member', t.type({ a: schema })],
      ['a nested member', t.array(t.partial({ a: t.type({ b: schema }) }))],
      ['an element', t.array(schema)],
      ['a record', t.record(t.string, schema)],
      ['a union', t.union([t.string, schema])],
      ['a constraint', constrained('a book', () => true)(schema)],
      ['strict', strict(schema)],
    ] as ReadonlyArray<[string, t.Mixed]>,
    (_, codec) => {
      assert.throws(compiling(producing(json(codec))), remedy)
      const received = pipe(
        path('/'),
        post(),
        body(json(codec)),
        handle(() => undefined),
      )
      assert.throws(compiling(routes({ received })), remedy)
    },
  )
  test('a parameter', () => {
    const search = pipe(
      path('/'),
      get(),
      query({ n: maxLength(5)(z.string() as never) }),
      handle(() => undefined),
    )
    assert.throws(compiling(routes({ search })), /FW-PARAM-002[^]*zod schema/)
  })
})
