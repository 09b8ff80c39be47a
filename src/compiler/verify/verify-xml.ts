/**
 * Verifies the XML representations of a tree: codecs that cannot be represented in XML, and conflicts between root elements.
 *
 * All codecs of objects share one context, in which root elements are unique. Codecs that `fw.jaxb.exclude-classes` lists, and
 * representations with an XML context of the application, are not part of it.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Reader } from '../../endpoint/reader.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Writer } from '../../endpoint/writer.ts'
import type { XmlFormat, XmlScope } from '../../xml/context/xml-format.ts'
import { parseDeclaredType } from '../../body/declared-type.ts'
import type { ProviderLevels } from '../../body/entity/entity-providers.ts'
import { entityOffers } from '../../body/entity/entity-plan.ts'
import { receivedRepresentations, sentRepresentations } from '../operation-representations.ts'
import type { Route } from '../flatten.ts'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import type { Settings } from '../settings/settings.ts'
import { routeTitle } from './verify-route.ts'
import { formatErrors, writerErrors } from '../../body/xml/xml-format-errors.ts'

/** Returns the configuration errors of the XML representations. */
export const verifyXml = (
  routes: ReadonlyArray<Route>,
  settings: Settings,
): ReadonlyArray<Mistake> => {
  const formats = routes.map((route) => ({ route, formats: formatsIn(route) }))
  return [
    ...formats.flatMap(invalidFormats),
    ...duplicateRoots(formats, excludedBy(settings['fw.jaxb.exclude-classes'])),
  ]
}

/** An XML format of a route. */
interface RouteFormat {
  readonly format: XmlFormat
  readonly isSent: boolean
}

interface RouteFormats {
  readonly route: Route
  readonly formats: ReadonlyArray<RouteFormat>
}

const invalidFormats = ({ route, formats }: RouteFormats): ReadonlyArray<Mistake> => {
  const errors = formats.flatMap(({ format, isSent }) => [
    ...formatErrors(format),
    ...(isSent ? writerErrors(format, route.attributes.secure) : []),
  ])
  // a request body and a response may have the same codec
  const distinct = new Map(errors.map(([code, remedy]) => [`${code} ${remedy}`, { code, remedy }]))
  return [...distinct.values()].map(({ code, remedy }) => ({
    code,
    concerns: [routeTitle(route)],
    remedy,
  }))
}

const duplicateRoots = (
  all: ReadonlyArray<RouteFormats>,
  isExcluded: (name: string) => boolean,
): ReadonlyArray<Mistake> => {
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
      remedy: `declare another name than ${name} for one of them with xmlRootElement, or exclude it with fw.jaxb.exclude-classes`,
    }))
}

/** Returns a predicate for names that are listed, or that begin with a listed prefix such as `library.*`. */
const excludedBy =
  (patterns: ReadonlyArray<string>) =>
  (name: string): boolean =>
    patterns.some((pattern) =>
      pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )

/** Returns the XML formats that a route, its filters and its error mappers read and write. */
const formatsIn = (route: Route): ReadonlyArray<RouteFormat> => {
  const { readers, writers, xml } = route.chain.entities
  const read = receivedRepresentations(route).flatMap((one) => xmlOf(one, readers, xml))
  const sent = sentRepresentations(route).flatMap((one) => xmlOf(one, writers, xml))
  return [
    ...read.map((format) => ({ format, isSent: false })),
    ...sent.map((format) => ({ format, isSent: true })),
  ]
}

const xmlOf = (
  { format, mediaType }: AnyRepresentation,
  levels: ProviderLevels<Reader | Writer>,
  xml: XmlScope | undefined,
): ReadonlyArray<XmlFormat> => {
  const within = (one: XmlFormat): XmlFormat => (xml === undefined ? one : one.inScope(xml))
  if (format._tag === 'Xml') return [within(format)]
  // only `withXml` adds XML to the formats of entities
  if (format._tag !== 'Entity' || xml?.entity === undefined) return []
  const declared = parseDeclaredType(mediaType)
  if (declared === undefined) return []
  return entityOffers(format.codec, declared.mediaType, levels, xml).flatMap((offer) =>
    offer.format._tag === 'Xml' ? [within(offer.format)] : [],
  )
}
