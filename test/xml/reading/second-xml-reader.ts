/** Reads documents with `saxes`, a strict parser that shares no code with the XML parser, and converts them to its elements. */
import * as E from 'fp-ts/lib/Either.js'
import { SaxesParser } from 'saxes'
import type { Attribute, Element } from '../../../src/xml/reading/element.ts'
import { xmlnsNamespace } from '../../../src/xml/xml-names.ts'

type Open = Element & { readonly children: Element[]; text: string }

/**
 * Parses a document, and returns its root element. Returns an error message for a malformed document and for one with a document
 * type declaration.
 */
export const secondReading = (document: string): E.Either<string, Element> => {
  // the XML parser reads documents of all versions in the same way
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const open: Open[] = []
  let root: Element | undefined
  let failure: string | undefined
  const addText = (text: string): void => {
    const innermost = open.at(-1)
    if (innermost !== undefined) innermost.text += text
  }
  parser.on('error', ({ message }) => (failure ??= message))
  parser.on('doctype', () => (failure ??= 'document type declaration'))
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ local, uri: namespace, attributes }) => {
    const pairs = Object.values(attributes).flatMap((attribute): ReadonlyArray<Attribute> =>
      attribute.uri === xmlnsNamespace
        ? []
        : [{ namespace: attribute.uri, local: attribute.local, value: attribute.value }],
    )
    const element = {
      namespace,
      local,
      attributes: pairs,
      children: new Array<Element>(),
      text: '',
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  try {
    parser.write(document).close()
  } catch (error) {
    failure ??= String(error)
  }
  return failure !== undefined || root === undefined
    ? E.left(failure ?? 'no root element')
    : E.right(root)
}
