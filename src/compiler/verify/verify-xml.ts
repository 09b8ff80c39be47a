/**
 * Verifies the XML representations in a tree. Finds codecs that cannot be represented in XML, and root elements with the same
 * name.
 *
 * By default, all object codecs share one XML context, in which the names of root elements must be unique. The shared context
 * excludes codecs listed in `fw.jaxb.exclude-classes` and representations with an XML context provided by the application.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Reader } from '../../endpoint/reader.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Writer } from '../../endpoint/writer.ts'
import type { XmlFormat, XmlScope } from '../../xml/context/xml-format.ts'
import { parseDeclaredType } from '../../body/charset.ts'
import type { ProviderLevels } from '../../body/entity-plan.ts'
import { entityOffers } from '../../body/entity-plan.ts'
import { receivedRepresentations, sentRepresentations } from '../operation-representations.ts'
import type { Route } from '../flatten.ts'
import { routeIssue, routeTitle } from '../flatten.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Settings } from '../settings/settings.ts'
import { formatErrors, writerErrors } from '../../body/formats/xml.ts'

/** Verifies the XML representations that the routes use, and returns the configuration errors. */
export const verifyXml = (
  routes: ReadonlyArray<Route>,
  settings: Settings,
): ReadonlyArray<ConfigurationIssue> => {
  const formats = routes
    .map((route) => ({ route, formats: formatsIn(route) }))
    .filter((route) => route.formats.length > 0)
  return [
    ...formats.flatMap(invalidFormats),
    ...duplicateRoots(formats, excludedBy(settings['fw.jaxb.exclude-classes'])),
  ]
}

/** An XML format that a route uses for request or response bodies. */
interface RouteFormat {
  readonly format: XmlFormat
  readonly isSent: boolean
}

/** A route and the XML formats that it uses. */
interface RouteFormats {
  readonly route: Route
  readonly formats: ReadonlyArray<RouteFormat>
}

const invalidFormats = ({ route, formats }: RouteFormats): ReadonlyArray<ConfigurationIssue> => {
  const errors = formats.flatMap(({ format, isSent }) => [
    ...formatErrors(format),
    ...(isSent ? writerErrors(format, route.attributes.secure) : []),
  ])
  // a request body and a response may have the same codec
  const distinct = new Map(errors.map(([code, remedy]) => [`${code} ${remedy}`, { code, remedy }]))
  return [...distinct.values()].map(({ code, remedy }) => routeIssue(route, code)(remedy))
}

const duplicateRoots = (
  all: ReadonlyArray<RouteFormats>,
  isExcluded: (name: string) => boolean,
): ReadonlyArray<ConfigurationIssue> => {
  const byRoot = new Map<string, Map<Codec, string>>()
  for (const { route, formats } of all)
    for (const { format } of formats) {
      const { context, binding } = format
      if (context !== undefined || binding.errors().length > 0) continue
      const { codec, names } = binding.subject()
      if (names.some(isExcluded)) continue
      for (const name of binding.claimedRootNames()) {
        const titles = byRoot.get(name) ?? new Map<Codec, string>()
        byRoot.set(name, titles)
        if (!titles.has(codec)) titles.set(codec, routeTitle(route))
      }
    }
  return [...byRoot]
    .filter(([, titles]) => titles.size > 1)
    .map(([name, titles]) => ({
      code: 'FW-XML-002',
      concerns: [...titles.values()],
      remedy: `use xmlRootElement to give one of them a name other than ${name}, or use fw.jaxb.exclude-classes to exclude one of them`,
    }))
}

/**
 * Creates a predicate that checks whether a codec name matches one of the patterns. A pattern matches one name or, as
 * in `library.*`, all names with a prefix.
 */
const excludedBy =
  (patterns: ReadonlyArray<string>) =>
  (name: string): boolean =>
    patterns.some((pattern) =>
      pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )

/** Returns the XML formats that a route, its filters and its error mappers read and send. */
const formatsIn = (route: Route): ReadonlyArray<RouteFormat> => {
  const { readers, writers, xml } = route.chain.entities
  const received = receivedRepresentations(route).flatMap((body) =>
    xmlFormatsOf(body, readers, xml),
  )
  const sent = sentRepresentations(route).flatMap((body) => xmlFormatsOf(body, writers, xml))
  return [
    ...received.map((format) => ({ format, isSent: false })),
    ...sent.map((format) => ({ format, isSent: true })),
  ]
}

const xmlFormatsOf = (
  { format, mediaType }: AnyRepresentation,
  levels: ProviderLevels<Reader | Writer>,
  xml: XmlScope | undefined,
): ReadonlyArray<XmlFormat> => {
  const inScope = (xmlFormat: XmlFormat): XmlFormat =>
    xml === undefined ? xmlFormat : xmlFormat.inScope(xml)
  if (format._tag === 'Xml') return [inScope(format)]
  // only `withXml` adds XML to the formats of entities
  if (format._tag !== 'Entity' || xml?.entity === undefined) return []
  const declared = parseDeclaredType(mediaType)
  if (declared === undefined) return []
  return entityOffers(format.codec, declared.mediaType, levels, xml).flatMap((offer) =>
    offer.format._tag === 'Xml' ? [inScope(offer.format)] : [],
  )
}
