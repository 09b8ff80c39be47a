/**
 * Looks for mistakes in the XML of a tree: codecs that have no form in it, and what they do to each other. All codecs of objects
 * share one context, in which each root element belongs to one of them; those that the settings exclude have each a context of
 * its own, and those inside a context of the application's own have that.
 */
import type { Codec } from '../codec/codec.ts'
import { isFormPart } from '../endpoint/form-part.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { XmlFormat } from '../endpoint/xml-format.ts'
import { innermost } from './carried.ts'
import type { Route } from './flatten.ts'
import type { Code, Mistake } from './mistake.ts'
import type { Settings } from './settings.ts'
import { title } from './verify.ts'

export const verifyXml = (
  routes: ReadonlyArray<Route>,
  settings: Settings,
): ReadonlyArray<Mistake> => {
  const found = routes.flatMap((route) => formatsIn(route).map((format) => ({ route, format })))
  if (found.length === 0) return []
  const wrong = found.flatMap(({ route, format }) => [
    ...format.document.mistakes().map(mistake('FW-XML-001', [title(route)])),
    ...(format.context !== undefined && !holds(format)
      ? [mistake('FW-XML-003', [title(route)])(`add ${format.codec.name} to the context around it`)]
      : []),
  ])
  const isExcluded = excludedBy(settings['fw.jaxb.exclude-classes'])
  const claims = new Map<string, Map<Codec, string>>()
  for (const { route, format } of found) {
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
  (code: Code, concerns: ReadonlyArray<string>) =>
  (remedy: string): Mistake => ({ code, concerns, remedy })

const holds = ({ context, codec, document }: XmlFormat): boolean =>
  context === undefined || context.holds(codec) || context.holds(document.subject().codec)

/** Whether a name is listed, or stands below one that is listed with `.*` behind it. */
const excludedBy =
  (patterns: ReadonlyArray<string>) =>
  (name: string): boolean =>
    patterns.some((pattern) =>
      pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )

/** The XML that an operation reads and writes, also as parts of forms and as data of events. */
const formatsIn = ({ definition }: Route): ReadonlyArray<XmlFormat> => {
  const parts = [...definition.parameters.form.values()].flatMap((one) =>
    isFormPart(one) && one.representation !== undefined ? [one.representation] : [],
  )
  const all = [
    ...definition.bodies,
    ...parts,
    ...definition.produces,
    ...definition.responses.flatMap(({ representations }) => representations),
  ]
  return [...new Set(all.flatMap(xmlIn))]
}

const xmlIn = (one: AnyRepresentation): ReadonlyArray<XmlFormat> =>
  innermost(one).flatMap(({ format }) => (format._tag === 'Xml' ? [format] : []))
