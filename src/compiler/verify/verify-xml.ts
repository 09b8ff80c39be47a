/**
 * Looks for mistakes in the XML of a tree: codecs that have no form in it, and what they do to each other. All codecs of objects
 * share one context, in which each root element belongs to one of them; those that the settings exclude have each a context of
 * its own, and those inside a context of the application's own have that.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Reader } from '../../endpoint/reader.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Writer } from '../../endpoint/writer.ts'
import type { XmlFormat, XmlMarks } from '../../xml/context/xml-format.ts'
import { declaredType } from '../../body/declared-type.ts'
import type { Levels } from '../../body/entity/entities.ts'
import { entityOffers } from '../../body/entity/entity-plan.ts'
import { readIn, sentIn } from '../operation-representations.ts'
import type { Route } from '../flatten.ts'
import type {
  ConfigurationErrorCode,
  Mistake,
} from '../../endpoint/internal/configuration-error.ts'
import type { Settings } from '../settings/settings.ts'
import { title } from './verify-route.ts'
import { formatErrors, writerErrors } from '../../body/xml/xml-format-errors.ts'

export const verifyXml = (
  routes: ReadonlyArray<Route>,
  settings: Settings,
): ReadonlyArray<Mistake> => {
  const found = routes
    .map((route) => ({ route, formats: formatsIn(route) }))
    .filter(({ formats }) => formats.length > 0)
  const wrong = found.flatMap(({ route, formats }) => {
    const said = formats.flatMap(({ format, isSent }) => [
      ...formatErrors(format),
      ...(isSent ? writerErrors(format, route.marks.secure) : []),
    ])
    // a body and an answer may be of one codec
    const once = new Map(said.map(([code, remedy]) => [`${code} ${remedy}`, { code, remedy }]))
    return [...once.values()].map(({ code, remedy }) => mistake(code, [title(route)])(remedy))
  })
  const isExcluded = excludedBy(settings['fw.jaxb.exclude-classes'])
  const claims = new Map<string, Map<Codec, string>>()
  const each = found.flatMap(({ route, formats }) =>
    formats.map(({ format }) => ({ route, format })),
  )
  for (const { route, format } of each) {
    const { context, document } = format
    if (context !== undefined || document.mistakes().length > 0) continue
    const { codec, names } = document.subject()
    if (names.some(isExcluded)) continue
    for (const name of document.claims()) {
      const by = claims.get(name) ?? new Map<Codec, string>()
      claims.set(name, by)
      if (!by.has(codec)) by.set(codec, title(route))
    }
  }
  const twice = [...claims]
    .filter(([, by]) => by.size > 1)
    .map(([name, by]) =>
      mistake('FW-XML-002', [...by.values()])(
        `give one another name than ${name} with xmlRootElement, or exclude it with fw.jaxb.exclude-classes`,
      ),
    )
  return [...wrong, ...twice]
}

const mistake =
  (code: ConfigurationErrorCode, concerns: ReadonlyArray<string>) =>
  (remedy: string): Mistake => ({ code, concerns, remedy })

/** Whether a name is listed, or stands below one that is listed with `.*` behind it. */
const excludedBy =
  (patterns: ReadonlyArray<string>) =>
  (name: string): boolean =>
    patterns.some((pattern) =>
      pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )

/** XML, and whether it is sent. */
interface Found {
  readonly format: XmlFormat
  readonly isSent: boolean
}

/** The XML that a route reads and writes, whoever it is that answers. */
const formatsIn = (route: Route): ReadonlyArray<Found> => {
  const { readers, writers, xml } = route.chain.entities
  const read = readIn(route).flatMap((one) => xmlOf(one, readers, xml))
  const sent = sentIn(route).flatMap((one) => xmlOf(one, writers, xml))
  return [
    ...read.map((format) => ({ format, isSent: false })),
    ...sent.map((format) => ({ format, isSent: true })),
  ]
}

const xmlOf = (
  { format, mediaType }: AnyRepresentation,
  levels: Levels<Reader | Writer>,
  xml: XmlMarks | undefined,
): ReadonlyArray<XmlFormat> => {
  const within = (one: XmlFormat): XmlFormat => (xml === undefined ? one : one.within(xml))
  if (format._tag === 'Xml') return [within(format)]
  // only `withXml` adds XML to the formats of entities
  if (format._tag !== 'Entity' || xml?.entity === undefined) return []
  const declared = declaredType(mediaType)
  if (declared === undefined) return []
  return entityOffers(format.codec, declared.mediaType, levels, xml).flatMap((offer) =>
    offer.format._tag === 'Xml' ? [within(offer.format)] : [],
  )
}
