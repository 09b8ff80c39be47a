/** Elements of a parsed document, with resolved names and references, without comments and processing instructions. */
import type { QName } from '../xml-names.ts'

/** An attribute of an element. */
export interface Attribute extends QName {
  readonly value: string
}

/** An element. */
export interface Element extends QName {
  /** The attributes, without namespace declarations. */
  readonly attributes: ReadonlyArray<Attribute>
  readonly children: ReadonlyArray<Element>
  /** The concatenated character data of the element, without that of its children. */
  readonly text: string
}

/** Returns the value of an attribute, or `undefined` if it is missing. */
export const attributeOf = (
  { attributes }: Element,
  { namespace, local }: QName,
): string | undefined =>
  attributes.find((one) => one.local === local && one.namespace === namespace)?.value

const notBlank = /[^ \t\n\r]/

/** Whether an element has character data other than white space. */
export const hasText = ({ text }: Element): boolean => notBlank.test(text)

/** Returns the XPaths of some elements, such as `/books/book[2]`. Only repeated names have a position. */
export const elementPaths = (
  root: Element,
  wanted: ReadonlySet<Element>,
): ReadonlyMap<Element, string> => {
  const paths = new Map<Element, string>()
  const visit = (element: Element, path: string): void => {
    if (wanted.has(element)) paths.set(element, path)
    const counts = new Map<string, number>()
    for (const { local } of element.children) counts.set(local, (counts.get(local) ?? 0) + 1)
    const positions = new Map<string, number>()
    for (const child of element.children) {
      const position = (positions.get(child.local) ?? 0) + 1
      positions.set(child.local, position)
      const step = (counts.get(child.local) ?? 0) > 1 ? `${child.local}[${position}]` : child.local
      visit(child, `${path}/${step}`)
    }
  }
  visit(root, `/${root.local}`)
  return paths
}
