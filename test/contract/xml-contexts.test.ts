/** XML contexts: the common context and those of the application. */
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
} from '../../src/index.ts'
import { MistakesError } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import {
  withXmlContext,
  xml,
  xmlContext,
  xmlElementWrapper,
  xmlRootElement,
} from '../../src/xml.ts'
import { describe, table } from '../support/describe.ts'
import { base } from '../support/contract.ts'

const Book = t.type({ title: t.string }, 'Book')
const Other = t.type({ pages: int }, 'library.Book')
const Loan = t.type({ book: Book }, 'Loan')

const reading = (codec: t.Mixed, at = '/a') =>
  pipe(
    path(at),
    post(),
    body(xml(codec)),
    handle(() => undefined),
  )

const mistakes = (
  run: () => unknown,
): ReadonlyArray<readonly [code: string, remedy: string, concerns: number]> => {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code, remedy, concerns }) => [code, remedy, concerns.length])
  }
}

const two = routes({ a: reading(Book, '/a'), b: reading(Other, '/b') })

describe('XML contexts: two codecs with the same root element', (test) => {
  test('are a configuration error that lists the operations', () =>
    assert.equal(
      mistakes(() => inMemory(two)),
      [
        [
          'FW-XML-002',
          'declare another name than book for one of them with xmlRootElement, or exclude it with fw.jaxb.exclude-classes',
          2,
        ],
      ],
    ))
  table(
    test,
    [
      ['library.Book', true],
      ['library.*', true],
      ['a, library.*, b', true],
      ['Book', true],
      ['library', false],
      ['Library.*', false],
      ['library.Boo', false],
      ['lib.*', false],
      ['', false],
    ] as const,
    (excluded, starts) =>
      assert.is(
        mistakes(() => inMemory(two, { 'fw.jaxb.exclude-classes': excluded })).length === 0,
        starts,
      ),
  )
  test('an excluded codec is still read and written', async () => {
    const call = inMemory(
      routes({
        a: reading(Book),
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
      ['the same codec, renamed as it is called', [Book, xmlRootElement('book')(Book)]],
      ['one inside another', [Book, Loan]],
      ['other names', [Book, xmlRootElement('volume')(Other)]],
      ['other namespaces', [Book, xmlRootElement('book', { namespace: 'urn:b' })(Other)]],
      [
        'lists, which are no classes',
        [
          xmlElementWrapper('books', 'book')(list(Book)),
          xmlElementWrapper('books', 'book')(list(Other)),
        ],
      ],
    ] as const,
    (what, [a, b]) =>
      assert.equal(
        mistakes(() => inMemory(routes({ a: reading(a, '/a'), b: reading(b, '/b') }))),
        [],
        what,
      ),
  )
  test('are found in parts, events, failures and sent forms', () => {
    const api = routes({
      a: reading(t.type({ one: int }, 'A')),
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
      mistakes(() => inMemory(api)).map(([code, , concerns]) => [code, concerns]),
      [['FW-XML-002', 5]],
    )
  })
})

const A = (value: t.Mixed): t.Mixed => t.type({ value }, 'A')

/** An operation, and what a filter and a mapper answer around it. */
const around = (filtered: t.Mixed, mapped: t.Mixed) =>
  pipe(
    routes({ a: reading(A(int)) }),
    withFilter(requestFilter({ fails: { 409: xml(filtered) } }, () => undefined)),
    withMapper(mapError(RangeError, { fails: { 410: xml(mapped) } }, () => reply(410, undefined))),
  )

describe('XML contexts: responses of filters and error mappers', (test) => {
  test('belong to the common context', () =>
    assert.equal(
      mistakes(() => inMemory(around(A(t.string), A(t.boolean)))).map(([code, , of]) => [code, of]),
      [['FW-XML-002', 3]],
    ))
  test('must belong to the context of the application', () =>
    assert.equal(
      mistakes(() => inMemory(pipe(around(Loan, Book), withXmlContext(xmlContext([Book]))))).map(
        ([code, remedy]) => [code, remedy],
      ),
      [
        ['FW-XML-003', 'add A to the XML context that applies to it'],
        ['FW-XML-003', 'add Loan to the XML context that applies to it'],
      ],
    ))
  test('must be representable in XML', () =>
    assert.equal(
      mistakes(() => inMemory(around(Loan, list(Book)))).map(([code]) => code),
      ['FW-XML-001'],
    ))
})

const own = xmlContext([Book, Loan], { formatted: true, declaration: false })

describe('XML contexts of the application', (test) => {
  test('a codec that does not belong to the context is a configuration error', () =>
    assert.equal(
      mistakes(() => inMemory(pipe(two, withXmlContext(own)))),
      [['FW-XML-003', 'add library.Book to the XML context that applies to it', 1]],
    ))
  test('codecs of a context may share root elements with the common context', () => {
    const { a, b } = { a: pipe(reading(Book, '/a'), withXmlContext(own)), b: reading(Other, '/b') }
    assert.equal(
      mistakes(() => inMemory(routes({ a, b }))),
      [],
    )
  })
  test('a context reads and writes without a service', () => {
    assert.is(
      own.write({ book: { title: 'Emma' } }),
      '<loan>\n  <book>\n    <title>Emma</title>\n  </book>\n</loan>',
    )
    assert.equal(own.read('<book><title>Emma</title></book>'), E.right({ title: 'Emma' }))
    assert.equal(
      own.read('<a/>'),
      E.left([{ path: '/a', message: 'the root element must be book or loan' }]),
    )
    assert.equal(
      own.read('<a>'),
      E.left([{ path: '/', message: 'malformed XML at line 1, column 4: missing end tag' }]),
    )
    assert.throws(() => own.write({ pages: 1 } as never), /any codec of the context/)
  })
  test('two codecs with the same root element throw a TypeError', () =>
    assert.throws(() => xmlContext([Book, Other]), /several codecs have the root element book/))
})
