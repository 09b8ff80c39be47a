/** Arbitrary well-formed XML documents with constructs that parsers often treat differently. */
import * as fc from 'fast-check'

const space = fc.constantFrom(' ', '\n', '\t', '\r\n', '  ')
const spaces = fc.oneof(fc.constant(''), space)

/** Names, including some that XML parsers reserve or that occur in object prototypes. */
const common = ['a', 'b', 'c-1', 'd.e', '_', 'é', '\u{10000}', 'xsi', 'nil', 'text', 'cdata']
const dangerous = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length']
const local = fc.constantFrom(...common, ...dangerous)
const prefixed = fc
  .tuple(fc.constantFrom('', '', '', 'p:', 'q:', 'xml:'), local)
  .map(([prefix, name]) => prefix + name)

const texts = [
  'x',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  'é',
  '😀',
  '\u0085',
  '\u2028',
  '\u00A0',
  '\uFEFF',
]
const numbers = ['007', '0x1F', '1e5', '+1', '9007199254740993', 'true', 'null', 'NaN']
const references = ['&lt;', '&gt;', '&amp;', '&apos;', '&quot;', '&#65;', '&#x1F600;', '&#13;']
const almost = ['&amp;#65;', '&amp;lt;', ']]&gt;', '{', '}', '%a;', '$1', '\\', '/', '=', '?', '!']

const value = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        ...texts,
        ...numbers,
        ...references,
        ...almost,
        '>',
        '/>',
        ']]>',
        '-->',
        '?>',
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom('"', "'"),
  )
  .map(([parts, quote]) => quote + parts.join(quote === '"' ? "'" : '"') + quote)

const misc = [
  '<!---->',
  '<!-- c -->',
  `<!--<b c="&'>]]><![CDATA[ - ?>-->`,
  '<?d?>',
  `<?d it's "> <b> &?>`,
  "<?xml-stylesheet href='e.xsl'?>",
]
const sections = [
  '<![CDATA[]]>',
  '<![CDATA[ ]]>',
  '<![CDATA[<b>&amp;</b>]]>',
  '<![CDATA[]]]]><![CDATA[>]]>',
  '<![CDATA[<!-- c -->]]>',
  '<![CDATA[007]]>',
]
const characters = fc.constantFrom(
  ...texts,
  ...numbers,
  ...references,
  ...almost,
  ...misc,
  ...sections,
  '>',
  '"',
  "'",
)

/** Attributes of an element, with distinct names. */
const attributes = fc.uniqueArray(fc.tuple(prefixed, space, spaces, spaces, value), {
  selector: ([name]) => name,
  maxLength: 3,
})

/** Namespace declarations below the root, which declares both prefixes. */
const declarations = fc.subarray([' xmlns="urn:n"', ' xmlns:p="urn:p2"', ` xmlns:q = 'urn:&amp;q'`])

type Written = (declared: string) => string

const element = fc.letrec<{ element: Written }>((tie) => ({
  element: fc
    .tuple(
      prefixed,
      attributes,
      fc.oneof(declarations, fc.constant([' xmlns=""'])),
      fc.array(fc.oneof({ maxDepth: 4 }, characters, tie('element')), { maxLength: 4 }),
      fc.boolean(),
      spaces,
    )
    .map(([name, attributeList, redeclared, children, isShort, end]): Written => (declared) => {
      const formatted = attributeList.map(([key, a, b, c, text]) => `${a}${key}${b}=${c}${text}`)
      const tag = `<${name}${declared === '' ? redeclared.join('') : declared}${formatted.join('')}${end}`
      const content = children
        .map((child) => (typeof child === 'string' ? child : child('')))
        .join('')
      return content === '' && isShort ? `${tag}/>` : `${tag}>${content}</${name}${end}>`
    }),
})).element

const outside = fc.array(fc.oneof(space, fc.constantFrom(...misc)), { maxLength: 2 })

/** Documents as text. */
export const xmlDocument: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('', '<?xml version="1.0"?>', `<?xml version='1.0' encoding="utf-8" ?>`),
    outside,
    element,
    outside,
  )
  .map(
    ([mark, declaration, before, root, after]) =>
      `${mark}${declaration}${before.join('')}${root(' xmlns:p="urn:p" xmlns:q="urn:q"')}${after.join('')}`,
  )
