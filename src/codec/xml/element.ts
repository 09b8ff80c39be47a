/** Elements of a document that was read: names are resolved and references replaced; comments and instructions are gone. */
import type { QName } from './name.ts'

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

/** The way from the root to an element as an XPath: `/books/book[2]`, with a position where there are several of a name. */
export const pathTo = (root: Element, wanted: Element): string => {
  const find = (element: Element, path: string): string | undefined => {
    if (element === wanted) return path
    const counts = new Map<string, number>()
    for (const { local } of element.children) counts.set(local, (counts.get(local) ?? 0) + 1)
    const met = new Map<string, number>()
    for (const child of element.children) {
      const position = (met.get(child.local) ?? 0) + 1
      met.set(child.local, position)
      const step = (counts.get(child.local) ?? 0) > 1 ? `${child.local}[${position}]` : child.local
      const found = find(child, `${path}/${step}`)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(root, `/${root.local}`) ?? '/'
}
