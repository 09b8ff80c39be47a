/** XML bodies. The representation contains the functions that read and write, so programs without XML do not load them. */
import { isHidden } from '../../codec/visibility/visibility.ts'
import { readXml } from '../xml/read-xml.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { BodyFormat } from '../body-format.ts'
import { wholeBody } from './whole-body.ts'

export const xmlBodyFormat = (format: XmlFormat): BodyFormat => ({
  ...wholeBody,
  codec: format.codec,
  charsets: 'ascii',
  accepts: format.codec.is,
  reader: ({ xml, backEnd, visibility }) => readXml(format, { ...xml, backEnd }, visibility),
  writer: ({ visibility }) => format.writer((member) => isHidden(member, visibility)),
})
