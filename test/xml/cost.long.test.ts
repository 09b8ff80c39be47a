/** Measures the CPU time to read XML documents of 250 KB. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { parse } from '../../src/xml/reading/parser.ts'
import { body, handle, path, post, produces, routes, text } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { xml, xmlAttribute, xmlList, xmlRootElement } from '../../src/xml.ts'
import { cpuMillis } from '../support/cpu-time.ts'
import { describe, table } from '../support/describe.ts'

const size = 250_000
const optional = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.UndefinedC]> =>
  t.union([codec, t.undefined])

const Root = xmlRootElement('r')(
  t.type({
    number: optional(t.number),
    attribute: xmlAttribute()(optional(t.number)),
    boolean: optional(t.boolean),
    list: optional(xmlList(t.array(t.number))),
  }),
)

const send = inMemory(
  routes({
    read: pipe(
      path('/'),
      post(),
      body(xml(Root)),
      produces(text),
      handle(() => 'ok'),
    ),
  }),
)

describe('an XML document of 250 KB is read within the time limit', (test) => {
  const spaces = ` 1${' '.repeat(size)}1 `
  table(
    test,
    [
      ['white space in a number', `<r><number>${spaces}</number></r>`, 400],
      ['white space in an attribute', `<r attribute="${spaces}"/>`, 400],
      ['white space in a boolean', `<r><boolean>${spaces}</boolean></r>`, 400],
      ['white space in a list', `<r><list>${spaces}</list></r>`, 200],
    ] as const,
    async (name, content, status) => {
      const before = process.cpuUsage()
      const headers = { 'Content-Type': 'application/xml' }
      const response = await send('http://localhost/', { method: 'POST', headers, body: content })
      const { user, system } = process.cpuUsage(before)
      assert.is(response.status, status)
      assert.ok((user + system) / 1000 < 500, `${name}:  ${(user + system) / 1000} ms`)
    },
  )

  test('a prefix is looked up once in each scope', () => {
    const deep = Array.from({ length: 97 }, (_, n) => `<c xmlns:a${n}="u">`).join('')
    const child = '<p:c p:a=""/>'
    const children = child.repeat(size / child.length)
    const flat = `<r xmlns:p="p">${children}</r>`
    const nested = `<r xmlns:p="p">${deep}${children}${'</c>'.repeat(97)}</r>`
    const floor = cpuMillis(() => assert.ok(E.isRight(parse(flat, 100))))
    const millis = cpuMillis(() => assert.ok(E.isRight(parse(nested, 100))))
    assert.ok(millis < 4 * floor + 10, `${millis} ms, without declarations ${floor} ms`)
  })
})
