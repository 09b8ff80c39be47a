/** The entry point `espalier/xml`: XML representations and the mapping of codecs to XML. */
export { xml } from './endpoint/xml.ts'
export { withXml } from './endpoint/with-xml.ts'
export { xmlContext, withXmlContext, customizeXml } from './endpoint/xml-context.ts'
export {
  xmlRootElement,
  xmlElement,
  xmlAttribute,
  xmlValue,
  xmlElementWrapper,
  xmlList,
} from './xml/mapping/mapping-codecs.ts'
export type { XmlContext } from './endpoint/xml-context.ts'
export type { ReadXml, WriteXml, XmlOptions } from './xml/context/xml-options.ts'
export type { XmlError } from './xml/context/xml-binding.ts'
export type { NameOptions } from './xml/mapping/mapping-codecs.ts'
export type { XmlType } from './codec/structure/xml-type.ts'
