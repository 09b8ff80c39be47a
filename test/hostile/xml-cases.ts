/** XML within `fw.http.limits.max-xml-size`. */
import type { HostileCase } from './hostile-case.ts'
import { fill, posted, xmlSize } from './hostile-case.ts'

const root = (content: string): string => `<root>${content}</root>`
const inRoot = (fragment: string, size: number): string =>
  root(fill(fragment, size - root('').length))

/** Attributes with different names, in one element. */
const attributes = (size: number, name: (at: number) => string): string => {
  const attributeList: string[] = []
  for (let length = 0, at = 0; length < size - 30; at++) {
    const attribute = ` ${name(at)}="1"`
    length += attribute.length
    attributeList.push(attribute)
  }
  attributeList.pop()
  return attributeList.join('')
}

type Row = readonly [title: string, expected: 2 | 4, body: (size: number) => string]

const rows: ReadonlyArray<Row> = [
  ['elements', 2, (n) => inRoot('<item/>', n)],
  ['elements with members', 2, (n) => inRoot('<item><a>x</a></item>', n)],
  ['empty members', 2, (n) => root(`<item>${fill('<a/>', n - 30)}</item>`)],
  ['numbers', 2, (n) => inRoot('<n>1</n>', n)],
  ['texts instead of numbers', 4, (n) => inRoot('<n>x</n>', n)],
  ['elements instead of numbers', 4, (n) => inRoot('<n><x/></n>', n)],
  ['members that are not numbers', 4, (n) => inRoot('<item><b>x</b></item>', n)],
  ['elements that are not declared', 2, (n) => inRoot('<z/>', n)],
  [
    'elements with different undeclared names',
    2,
    (n) =>
      root(
        Array.from({ length: Math.floor((n - 13) / 9) }, (_, at) => `<z${at}/>`)
          .join('')
          .slice(0, n - 13)
          .replace(/<[^>]*$/, ''),
      ),
  ],
  ['two roots', 4, (n) => fill('<root/>', n)],
  ['another root', 4, (n) => `<a>${fill('<item/>', n - 7)}</a>`],
  ['98 levels', 2, (n) => inRoot(`${'<z>'.repeat(98)}${'</z>'.repeat(98)}`, n)],
  ['nested too deep', 4, (n) => `<root>${fill('<z>', n - 6)}`],
  ['unclosed elements', 4, (n) => `<root>${fill('<z><y></y>', n - 6)}`],
  ['an unclosed tag', 4, (n) => `<root ${fill('a', n - 6)}`],
  ['unclosed tags', 4, (n) => fill('<root ', n)],
  ['closing tags', 4, (n) => `<root>${fill('</z>', n - 6)}`],
  ['angle brackets', 4, (n) => fill('<', n)],
  ['different attributes', 2, (n) => `<root${attributes(n, (at) => `a${at}`)}/>`],
  ['the same attribute', 4, (n) => `<root${attributes(n, () => 'at')}/>`],
  ['declarations of namespaces', 2, (n) => `<root${attributes(n, (at) => `xmlns:a${at}`)}/>`],
  [
    'nested declarations of namespaces',
    2,
    (n) => inRoot(`${'<z xmlns:p="a">'.repeat(90)}${'</z>'.repeat(90)}`, n),
  ],
  [
    'elements below many namespaces',
    2,
    (n) =>
      `<root${attributes(n / 2, (at) => `xmlns:a${at}`)}>${fill('<a7:z/>', n / 2 - 40)}</root>`,
  ],
  ['a long attribute', 2, (n) => `<root at="${fill('a', n - 13)}"/>`],
  ['an unclosed attribute', 4, (n) => `<root at="${fill('a', n - 10)}`],
  ['an attribute of references', 2, (n) => `<root at="${fill('&amp;', n - 13)}"/>`],
  ['a long text', 2, (n) => inRoot('a', n)],
  ['a text of references', 2, (n) => inRoot('&lt;', n)],
  ['a text of numeric references', 2, (n) => inRoot('&#x41;', n)],
  ['unknown references', 4, (n) => inRoot('&a;', n)],
  ['ampersands', 4, (n) => inRoot('&', n)],
  ['references without an end', 4, (n) => inRoot('&#', n)],
  [
    'a declaration of a type',
    4,
    (n) => `<!DOCTYPE root [${fill('<!ENTITY a "b">', n - 40)}]><root/>`,
  ],
  ['comments', 2, (n) => inRoot('<!---->', n)],
  ['an unclosed comment', 4, (n) => `<root><!--${fill('- ', n - 10)}`],
  ['sections of characters', 2, (n) => inRoot('<![CDATA[]]>', n)],
  ['an unclosed section', 4, (n) => `<root><![CDATA[${fill(']]', n - 15)}`],
  ['instructions', 2, (n) => inRoot('<?a b?>', n)],
  ['an unclosed instruction', 4, (n) => `<root><?a ${fill('? ', n - 10)}`],
  ['white space', 2, (n) => inRoot('\n', n)],
  ['white space in a tag', 2, (n) => `<root${fill(' ', n - 7)}/>`],
  ['white space in front', 2, (n) => `${fill(' ', n - 7)}<root/>`],
  ['no element', 4, (n) => fill(' ', n)],
  ['line ends', 2, (n) => inRoot('\r\n', n)],
]

export const xml: ReadonlyArray<HostileCase> = rows.map(([title, expected, body]) => ({
  name: `XML: ${title}`,
  family: 'xml',
  expected,
  request: () => posted('/xml', 'application/xml', body(xmlSize)),
}))
