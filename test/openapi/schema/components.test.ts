import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { described, named } from '../../../src/codec/annotated.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list } from '../../../src/codec/collection.ts'
import { fromString } from '../../../src/codec/from-string.ts'
import type { JsonSchema } from '../../../src/codec/json-schema.ts'
import { nullable, optional, withDefault } from '../../../src/codec/optional.ts'
import { int, string } from '../../../src/codec/scalar.ts'
import { strict } from '../../../src/codec/strict.ts'
import { inView, secureField, view } from '../../../src/codec/structure/restricted-member.ts'
import type {
  FinishedSchemas,
  SchemaContext,
} from '../../../src/openapi/schema/schema-generator.ts'
import { schemaGenerator } from '../../../src/openapi/schema/schema-generator.ts'
import { describe, table } from '../../support/describe.ts'
import { jsonContext, visibilityRules } from './check-schema.ts'

type Use = readonly [codec: Codec, context: SchemaContext]

const kindOf = (kind: string): t.Mixed => described('The kind.')(t.literal(kind))

/** Returns the schemas of codecs in one document. */
const documentOf = (...uses: ReadonlyArray<Use>): FinishedSchemas<ReadonlyArray<JsonSchema>> => {
  const generator = schemaGenerator()
  return generator.finish(uses.map(([codec, context]) => generator.schemaOf(codec, context)))
}

const namesOf = (...uses: ReadonlyArray<Use>): ReadonlyArray<string> =>
  Object.keys(documentOf(...uses).schemas)

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const input = jsonContext('input')
const output = jsonContext('output')
const closed = jsonContext('input', { rejectsUndeclared: true })

const Book = t.type({ title: string }, 'Book')
const Page = t.type({ size: withDefault(int, 10), books: list(Book) }, 'Page<Book>')
const Tree: t.Mixed = t.recursion('Tree', () =>
  t.type({ label: string, below: list(Tree) }, 'Tree'),
)

type NameRow = readonly [title: string, codec: Codec, names: ReadonlyArray<string>]

describe('components', (test) => {
  table<NameRow>(
    test,
    [
      ['a named object', Book, ['Book']],
      ['a named object in wrappers', optional(strict(described('A book')(Book))), ['Book']],
      ['type arguments', Page, ['Book', 'Page_Book']],
      ['default names of io-ts', t.array(t.partial({ a: t.readonly(t.type({ b: string })) })), []],
      ['t.readonly and t.exact of named objects', t.readonly(t.exact(Book)), ['Book']],
      ['a recursive codec', Tree, ['Tree']],
      ['a recursive codec with an invalid name', t.recursion('a tree', () => string), ['a_tree']],
      ['named', named('Title')(string), ['Title']],
      ['an invalid name', named('The title!')(string), ['The_title']],
      ['the innermost name applies in its own component', named('Novel')(Book), ['Novel']],
      ['predefined codecs', t.tuple([t.Int, int, string, t.UnknownRecord]), []],
      ['a named union', t.union([Book, t.null], 'MaybeBook'), ['Book', 'MaybeBook']],
      ['a named enumeration', t.keyof({ a: null }, 'Letter'), ['Letter']],
    ],
    (_, codec, names) => assert.equal(namesOf([codec, input]), names),
  )
  test('equal schemas for input and output share a component', () => {
    const { document, schemas } = documentOf([Book, input], [Book, output], [list(Book), output])
    assert.equal(document, [ref('Book'), ref('Book'), { type: 'array', items: ref('Book') }])
    assert.equal(schemas, {
      Book: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    })
  })
  test('different schemas for input and output have different names', () => {
    const { document, schemas } = documentOf([Page, input], [Page, output])
    assert.equal(document, [ref('Page_BookInput'), ref('Page_Book')])
    assert.equal(schemas['Page_Book']?.required, ['size', 'books'])
    assert.equal(schemas['Page_BookInput']?.required, ['books'])
    assert.equal(schemas['Page_BookInput']?.properties?.['books'], {
      type: 'array',
      items: ref('Book'),
    })
  })
  test('a codec that is only received has no suffix', () =>
    assert.equal(namesOf([Page, input]), ['Book', 'Page_Book']))
  test('codecs that contain different components are different', () =>
    assert.equal(
      namesOf([t.type({ page: Page }, 'Shelf'), input], [t.type({ page: Page }, 'Shelf'), output]),
      ['Book', 'Page_Book', 'Page_BookInput', 'Shelf', 'ShelfInput'],
    ))
  test('recursive codecs share a component, unless undeclared members are rejected', () => {
    assert.equal(namesOf([Tree, input], [Tree, output]), ['Tree'])
    const { schemas } = documentOf([Tree, closed], [Tree, output])
    assert.equal(Object.keys(schemas), ['Tree', 'TreeInput'])
    assert.equal(schemas['TreeInput']?.properties?.['below'], {
      type: 'array',
      items: ref('TreeInput'),
    })
    assert.is(schemas['TreeInput']?.additionalProperties, false)
  })
  test('components that are not used by the document are omitted', () => {
    const generator = schemaGenerator()
    generator.schemaOf(Book, input)
    assert.equal(generator.finish({}).schemas, {})
  })
  test('a view has its own component', () => {
    const [open, staff] = [view('Public'), view('Staff')]
    const Member = t.type({ name: inView(open)(string), salary: inView(staff)(int) }, 'Member')
    const inPublic = jsonContext('output', { visibility: visibilityRules(open) })
    const { schemas } = documentOf([Member, output], [Member, inPublic], [Book, inPublic])
    assert.equal(Object.keys(schemas), ['Book', 'Member', 'Member_Public'])
    assert.equal(Object.keys(schemas['Member_Public']?.properties ?? {}), ['name'])
    assert.equal(schemas['Member']?.required, ['name', 'salary'])
  })
  test('a member for certain roles is optional in output, and its description names the roles', () => {
    const salary = described('In euros.')(secureField('payroll', 'chief')(int))
    const Member = t.type({ name: string, salary }, 'Member')
    const { schemas } = documentOf([Member, output], [Member, input])
    assert.equal(schemas['Member']?.required, ['name'])
    assert.is(
      schemas['Member']?.properties?.['salary']?.description,
      'In euros. Only visible to: payroll or chief.',
    )
    assert.equal(schemas['MemberInput']?.required, ['name', 'salary'])
    const unrestricted = jsonContext('output', { visibility: visibilityRules(undefined, false) })
    assert.equal(documentOf([Member, unrestricted]).schemas['Member']?.required, ['name', 'salary'])
  })
  test('a tagged union of components has a discriminator', () => {
    const cat = t.type({ kind: t.literal('cat'), lives: int }, 'Cat')
    const dog = t.type({ kind: t.literal('dog') }, 'Dog')
    const { document } = documentOf([t.union([cat, dog]), input])
    assert.equal(document, [
      {
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: ref('Cat').$ref, dog: ref('Dog').$ref },
        },
      },
    ])
  })
  test('a tagged union whose members and tags are annotated has a discriminator', () => {
    const cat = described('A cat.')(t.type({ kind: kindOf('cat'), lives: int }, 'Cat'))
    const dog = named('Dog')(t.type({ kind: kindOf('dog') }))
    const [{ oneOf, discriminator } = {}] = documentOf([t.union([cat, dog]), input]).document
    assert.equal(oneOf, [{ ...ref('Cat'), description: 'A cat.' }, ref('Dog')])
    assert.equal(discriminator, {
      propertyName: 'kind',
      mapping: { cat: ref('Cat').$ref, dog: ref('Dog').$ref },
    })
  })
  test('a tagged union of other codecs has no discriminator', () => {
    const [{ discriminator, oneOf } = {}] = documentOf([
      t.union([t.type({ kind: t.literal(1) }), t.type({ kind: t.literal(2) })]),
      input,
    ]).document
    assert.is(discriminator, undefined)
    assert.is(oneOf?.length, 2)
  })
  test('an annotated or nullable component is still a reference', () =>
    assert.equal(documentOf([described('Emma')(Book), input], [nullable(Book), input]).document, [
      { ...ref('Book'), description: 'Emma' },
      { anyOf: [ref('Book'), { type: 'null' }] },
    ]))
  test('different codecs with one name are an issue that contains both locations', () => {
    const other = t.type({ name: string }, 'Book')
    const { issues, schemas } = documentOf(
      [Book, { ...output, location: 'books.list' }],
      [list(other), { ...output, location: 'shelves.list' }],
    )
    assert.equal(issues, [
      { _tag: 'DuplicateName', codec: 'Book', locations: ['books.list', 'shelves.list'] },
    ])
    assert.equal(Object.keys(schemas), ['Book', 'Book2'])
  })
  test('a component with a fallback name gives way to another component', () => {
    const [Problem, Links] = [t.type({ a: int }, 'Problem'), t.type({ b: int }, 'Links')]
    const all = [Problem, Links].map((codec): Use => [codec, output])
    const options = {
      fallbackNames: new Map<Codec, string>([
        [Problem, 'ProblemDocument'],
        [Links, 'HalLinks'],
      ]),
    }
    const namesAndIssues = (...codecs: ReadonlyArray<Codec>): unknown => {
      const generator = schemaGenerator(options)
      const { schemas, issues } = generator.finish(
        [...all, ...codecs.map((codec): Use => [codec, output])].map((use) =>
          generator.schemaOf(...use),
        ),
      )
      return [Object.keys(schemas), issues]
    }
    const other = t.type({ title: string }, 'Problem')
    assert.equal(namesAndIssues(), [['Links', 'Problem'], []])
    assert.equal(namesAndIssues(t.type({ a: int }, 'Problem')), [['Links', 'Problem'], []])
    assert.equal(namesAndIssues(other), [['Links', 'Problem', 'ProblemDocument'], []])
    assert.equal(namesAndIssues(other, t.type({ b: string }, 'ProblemDocument')), [
      ['Links', 'Problem', 'ProblemDocument', 'ProblemDocument2'],
      [],
    ])
  })
  test('equal codecs with one name are one component', () => {
    const { issues, schemas } = documentOf(
      [Book, output],
      [t.type({ title: string }, 'Book'), output],
    )
    assert.equal(issues, [])
    assert.equal(Object.keys(schemas), ['Book'])
  })
  test('an opaque codec is an issue', () => {
    const uri = fromString('a URI', String, String)
    assert.equal(documentOf([t.type({ uri }), { ...input, location: 'links.add' }]).issues, [
      { _tag: 'OpaqueCodec', codec: 'a URI', locations: ['links.add'] },
    ])
  })
  test('the root element of an XML document has a name', () => {
    const xml = { ...input, isXml: true }
    assert.equal(documentOf([Book, xml]).document, [{ ...ref('Book'), xml: { name: 'book' } }])
  })
  test('resolve returns the component of a preliminary reference', () => {
    const generator = schemaGenerator()
    const reference = generator.schemaOf(Book, input)
    assert.is(generator.resolve(reference).type, 'object')
    assert.equal(generator.resolve({ type: 'string' }), { type: 'string' })
  })
  test('a recursion that creates a codec on each call ends', () => {
    const endless = (): t.Mixed => t.recursion('Endless', () => t.type({ next: list(endless()) }))
    assert.ok(Object.keys(documentOf([endless(), input]).schemas).length > 0)
  })
})
