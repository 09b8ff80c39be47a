/** Reads the content of a request: octets to the value of a body or the fields of a form. */
import * as E from 'fp-ts/lib/Either.js'
import { isHttpError } from '../../endpoint/http-error.ts'
import { backEnd } from '../../compiler/settings/codec-back-end.ts'
import { limitBy } from '../../compiler/settings/body-limit.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { BuiltInPlan } from '../../body/entity/provided.ts'
import { withoutReserved } from '../../body/hal-reserved.ts'
import { readForm, readFormMap } from './read-form.ts'
import { readJson } from '../../body/json/read-json.ts'
import { readText } from '../../body/text/read-text.ts'
import type { XmlReading } from '../../body/xml/read-xml.ts'
import { readXml } from '../../body/xml/read-xml.ts'
import type { ReadContent } from '../../body/read-body.ts'
import { unreadable } from '../../body/read-body.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { tooLarge } from './too-large.ts'
import { jsonReading } from '../json-settings.ts'

/** Prepares reading one of the alternatives of a plan's content. */
export const readContent = (plan: Plan, content: BuiltInPlan, settings: Settings): ReadContent => {
  const { format } = content
  switch (format._tag) {
    case 'Json':
      return readJson(format.codec, jsonReading(settings), content)
    case 'Xml':
      return readXml(format, xmlReading(settings), content.projecting)
    // the links that a client sends back are nobody's members
    case 'Hal':
      return readJson(format.codec, jsonReading(settings), content, withoutReserved)
    case 'RawJson':
      return readText(undefined)
    case 'Text':
      return readText(format.codec)
    case 'Bytes':
      return (octets) => E.right(octets)
    case 'Form':
      return readForm(plan, settings)
    case 'FormMap':
      return readFormMap(settings)
    // taken in pieces, and never as a whole; or only sent, as `verify.ts` has said
    case 'File':
    case 'MultipartOutput':
    case 'ByteStream':
    case 'TextStream':
    case 'FileBody':
    // only sent, and refused as a body when the tree is compiled
    case 'JsonStream':
    case 'MultipartForm':
    case 'MultipartInput':
    case 'MultipartStream':
      return (octets) => E.right(octets)
    // `verify` lets nobody read it
    case 'EventStream':
      return () => unreadable('an event stream is only sent')
    case 'Custom':
      return readCustom(format.read ?? (() => undefined))
  }
}

const xmlReading = (settings: Settings): XmlReading => {
  const limit = limitBy('fw.http.limits.max-xml-size', settings)
  return {
    backEnd: backEnd(settings),
    depth: settings['fw.http.limits.max-xml-depth'],
    refuses: settings['fw.rest.jsonlib.fail-on-unknown-properties'],
    exceeded: (octets) => (octets > limit.bytes ? tooLarge(limit) : undefined),
  }
}

/** A function of the application's own may throw: an `HttpError` is the response, anything else a refusal. */
const readCustom =
  (read: (octets: Uint8Array) => unknown): ReadContent =>
  (octets) => {
    try {
      return E.right(read(octets))
    } catch (error) {
      if (isHttpError(error)) throw error
      return unreadable('it cannot be read')
    }
  }
