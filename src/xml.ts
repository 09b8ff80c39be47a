/** The `espalier/xml` entry point: XML representations, and functions that declare how codecs are mapped to XML. */

export { xml, withXml, xmlContext, withXmlContext, customizeXml } from './endpoint/xml.ts'
export {
  xmlRootElement,
  xmlElement,
  xmlAttribute,
  xmlValue,
  xmlElementWrapper,
  xmlList,
} from './xml/mapping/mapping-codecs.ts'
export type { CreateXml, XmlContext } from './endpoint/xml.ts'
export type { ReadXml, WriteXml, XmlContextBase, XmlOptions } from './xml/context/xml-format.ts'
export type { UntypedXmlOptions, XmlParserClass } from './xml/untyped/untyped-options.ts'
export type { XmlError } from './xml/context/xml-binding.ts'
export type { NameOptions } from './xml/mapping/mapping-codecs.ts'
export type { XmlType } from './codec/structure/known-codec.ts'
