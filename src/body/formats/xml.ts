/**
 * Provides the XML format. The functions that read and write XML are part of each XML representation. Programs that do not use
 * XML therefore do not load them.
 */
import { valueKinds } from '../../codec/structure/uninhabited.ts'
import { isHidden } from '../../codec/visibility/visibility.ts'
import { readXml } from '../read-xml.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { BodyFormat } from '../body-format.ts'
import { wholeBody } from './whole-body.ts'

/** Creates the body format for an XML representation. */
export const xmlBodyFormat = (format: XmlFormat): BodyFormat => ({
  ...wholeBody,
  codec: format.codec,
  accepts: format.codec.is,
  kinds: () => valueKinds(format.codec),
  reader: ({ xml, backEnd, visibility }) => readXml(format, { ...xml, backEnd }, visibility),
  writer: ({ visibility }) => format.writer((member) => isHidden(member, visibility)),
})
