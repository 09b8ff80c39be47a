/** Elements of a document that was read: names are resolved and references replaced; comments and instructions are gone. */
import type { QName } from '../xml-names.ts'

export interface Attribute extends QName {
  readonly value: string
}

export interface Element extends QName {
  /** Without those that declare namespaces. */
  readonly attributes: ReadonlyArray<Attribute>
  readonly children: ReadonlyArray<Element>
  /** All character data that stands directly inside, put together. */
  readonly text: string
}

/** The value of an attribute; `undefined` when it is not there. */
export const attributeOf = (
  { attributes }: Element,
  { namespace, local }: QName,
): string | undefined =>
  attributes.find((one) => one.local === local && one.namespace === namespace)?.value

const notBlank = /[^ \t\n\r]/

/** Whether there is character data beside white space. */
export const hasText = ({ text }: Element): boolean => notBlank.test(text)

/** The ways from the root to some elements as XPaths: `/books/book[2]`, with a position where there are several of a name. */
export const pathsTo = (
  root: Element,
  wanted: ReadonlySet<Element>,
): ReadonlyMap<Element, string> => {
  const paths = new Map<Element, string>()
  const see = (element: Element, path: string): void => {
    if (wanted.has(element)) paths.set(element, path)
    const counts = new Map<string, number>()
    for (const { local } of element.children) counts.set(local, (counts.get(local) ?? 0) + 1)
    const met = new Map<string, number>()
    for (const child of element.children) {
      const position = (met.get(child.local) ?? 0) + 1
      met.set(child.local, position)
      const step = (counts.get(child.local) ?? 0) > 1 ? `${child.local}[${position}]` : child.local
      see(child, `${path}/${step}`)
    }
  }
  see(root, `/${root.local}`)
  return paths
}
