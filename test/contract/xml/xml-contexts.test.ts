/** XML contexts: the common context of all codecs, and contexts created with `xmlContext`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  fails,
  form,
  get,
  handle,
  int,
  list,
  mapError,
  multipartOutput,
  part,
  path,
  post,
  produces,
  reply,
  requestFilter,
  routes,
  sse,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { ConfigurationError } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import {
  withXmlContext,
  xml,
  xmlContext,
  xmlElementWrapper,
  xmlRootElement,
} from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { base } from '../../support/contract.ts'

const Book = t.type({ title: t.string }, 'Book')
const Other = t.type({ pages: int }, 'library.Book')
const Loan = t.type({ book: Book }, 'Loan')

const operationWith = (codec: t.Mixed, at = '/a') =>
  pipe(
    path(at),
    post(),
    body(xml(codec)),
    handle(() => undefined),
  )

const issuesOf = (
  run: () => unknown,
): ReadonlyArray<readonly [code: string, remedy: string, concerns: number]> => {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, remedy, concerns }) => [code, remedy, concerns.length])
  }
}

const conflicting = routes({ a: operationWith(Book, '/a'), b: operationWith(Other, '/b') })

describe('XML contexts: two codecs with the same root element', (test) => {
  test('are a configuration error that lists the operations', () =>
    assert.equal(
      issuesOf(() => inMemory(conflicting)),
      [
        [
          'FW-XML-002',
          'use xmlRootElement to give one of them a name other than book, or use fw.jaxb.exclude-classes to exclude one of them',
          2,
        ],
      ],
    ))
  table(
    test,
    [
      ['the qualified name', 'library.Book', true],
      ['a prefix pattern', 'library.*', true],
      ['a list with a prefix pattern', 'a, library.*, b', true],
      ['the name of the other codec', 'Book', true],
      ['a prefix without a pattern', 'library', false],
      ['a prefix pattern in another case', 'Library.*', false],
      ['an incomplete name', 'library.Boo', false],
      ['an incomplete prefix pattern', 'lib.*', false],
      ['an empty value', '', false],
    ] as const,
    (_, excluded, isValid) =>
      assert.is(
        issuesOf(() => inMemory(conflicting, { 'fw.jaxb.exclude-classes': excluded })).length === 0,
        isValid,
      ),
  )
  test('a prefix pattern also excludes names with further prefixes', () => {
    const Inner = t.type({ pages: int }, 'library.loans.Book')
    const api = routes({ a: operationWith(Book, '/a'), b: operationWith(Inner, '/b') })
    assert.equal(
      ['library.*', 'library.loans.*', 'loans.*'].map(
        (excluded) => issuesOf(() => inMemory(api, { 'fw.jaxb.exclude-classes': excluded })).length,
      ),
      [0, 0, 1],
    )
  })
  test('an excluded codec is still read and written', async () => {
    const call = inMemory(
      routes({
        a: operationWith(Book),
        b: pipe(
          path('/b'),
          post(),
          body(xml(Other)),
          produces(xml(Other)),
          handle((input) => input.body),
        ),
      }),
      { 'fw.jaxb.exclude-classes': 'library.*' },
    )
    const sent = '<book><pages>1</pages></book>'
    const request = new Request(`${base}/b`, { method: 'POST', body: Buffer.from(sent) })
    assert.match(await (await call(request)).text(), sent)
  })
  table(
    test,
    [
      ['the same codec twice', [Book, Book]],
      [
        'the same codec with an explicit root element of the same name',
        [Book, xmlRootElement('book')(Book)],
      ],
      ['a codec nested in another', [Book, Loan]],
      ['different element names', [Book, xmlRootElement('volume')(Other)]],
      ['different namespaces', [Book, xmlRootElement('book', { namespace: 'urn:b' })(Other)]],
      [
        'lists',
        [
          xmlElementWrapper('books', 'book')(list(Book)),
          xmlElementWrapper('books', 'book')(list(Other)),
        ],
      ],
    ] as const,
    (_, [a, b]) =>
      assert.equal(
        issuesOf(() => inMemory(routes({ a: operationWith(a, '/a'), b: operationWith(b, '/b') }))),
        [],
      ),
  )
  test('are detected in parts, server-sent events, failures and multipart responses', () => {
    const api = routes({
      a: operationWith(t.type({ one: int }, 'A')),
      b: pipe(
        path('/b'),
        post(),
        form({ b: part(xml(t.type({ two: int }, 'A'))) }),
        handle(() => undefined),
      ),
      c: pipe(
        path('/c'),
        get(),
        produces(sse(xml(t.type({ three: int }, 'A')))),
        handle(() => []),
      ),
      d: pipe(
        path('/d'),
        get(),
        fails(404, xml(t.type({ four: int }, 'A'))),
        produces(multipartOutput({ d: xml(t.type({ five: int }, 'A')) })),
        handle(() => E.left({ four: 1 })),
      ),
    })
    assert.equal(
      issuesOf(() => inMemory(api)).map(([code, , concerns]) => [code, concerns]),
      [['FW-XML-002', 5]],
    )
  })
})

const codecNamedA = (value: t.Mixed): t.Mixed => t.type({ value }, 'A')

/** An operation with a filter and an error mapper that declare responses. */
const withDeclaredResponses = (filtered: t.Mixed, mapped: t.Mixed) =>
  pipe(
    routes({ a: operationWith(codecNamedA(int)) }),
    withFilter(requestFilter({ fails: { 409: xml(filtered) } }, () => undefined)),
    withMapper(mapError(RangeError, { fails: { 410: xml(mapped) } }, () => reply(410, undefined))),
  )

describe('XML contexts: responses of filters and error mappers', (test) => {
  test('belong to the common context', () =>
    assert.equal(
      issuesOf(() =>
        inMemory(withDeclaredResponses(codecNamedA(t.string), codecNamedA(t.boolean))),
      ).map(([code, , concerns]) => [code, concerns]),
      [['FW-XML-002', 3]],
    ))
  test('must belong to the context of the tree', () =>
    assert.equal(
      issuesOf(() =>
        inMemory(pipe(withDeclaredResponses(Loan, Book), withXmlContext(xmlContext([Book])))),
      ).map(([code, remedy]) => [code, remedy]),
      [
        ['FW-XML-003', 'add A to the XML context of the operation'],
        ['FW-XML-003', 'add Loan to the XML context of the operation'],
      ],
    ))
  test('must be representable in XML', () =>
    assert.equal(
      issuesOf(() => inMemory(withDeclaredResponses(Loan, list(Book)))).map(([code]) => code),
      ['FW-XML-001'],
    ))
})

const context = xmlContext([Book, Loan], { formatted: true, declaration: false })

describe('xmlContext', (test) => {
  test('a codec that does not belong to the context is a configuration error', () =>
    assert.equal(
      issuesOf(() => inMemory(pipe(conflicting, withXmlContext(context)))),
      [['FW-XML-003', 'add library.Book to the XML context of the operation', 1]],
    ))
  test('codecs of a context may share root elements with the common context', () => {
    const { a, b } = {
      a: pipe(operationWith(Book, '/a'), withXmlContext(context)),
      b: operationWith(Other, '/b'),
    }
    assert.equal(
      issuesOf(() => inMemory(routes({ a, b }))),
      [],
    )
  })
  test('a context reads and writes without a server', () => {
    assert.is(
      context.write({ book: { title: 'Emma' } }),
      '<loan>\n  <book>\n    <title>Emma</title>\n  </book>\n</loan>',
    )
    assert.equal(context.read('<book><title>Emma</title></book>'), E.right({ title: 'Emma' }))
    assert.equal(
      context.read('<a/>'),
      E.left([{ path: '/a', message: 'the root element must be book or loan' }]),
    )
    assert.equal(
      context.read('<a>'),
      E.left([{ path: '/', message: 'malformed XML at line 1, column 4: missing end tag' }]),
    )
    assert.throws(() => context.write({ pages: 1 } as never), /a codec of the context can encode/)
  })
  test('two codecs with the same root element throw a TypeError', () =>
    assert.throws(
      () => xmlContext([Book, Other]),
      /root element book is used by more than one codec/,
    ))
})
