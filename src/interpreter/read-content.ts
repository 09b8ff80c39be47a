/** Reads the content of a request: octets to the value of a body or the fields of a form. */
import * as E from 'fp-ts/lib/Either.js'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Plan } from './plan.ts'
import type { BuiltInPlan } from './provided.ts'
import { readForm, readFormMap } from './read-form.ts'
import { readJson } from './read-json.ts'
import { readText } from './read-text.ts'
import { readXml } from './read-xml.ts'
import type { ReadContent } from './reading.ts'
import { unreadable } from './reading.ts'
import type { Settings } from './settings.ts'

/** Prepares reading one of the alternatives of a plan's content. */
export const readContent = (plan: Plan, content: BuiltInPlan, settings: Settings): ReadContent => {
  const { format } = content
  switch (format._tag) {
    case 'Json':
      return readJson(format.codec, settings, content)
    case 'Xml':
      return readXml(format, settings, content.projecting)
    // the links that a client sends back are nobody's members
    case 'Hal': {
      const dropping = { ...settings, 'fw.rest.jsonlib.fail-on-unknown-properties': false }
      return readJson(format.codec, dropping, content)
    }
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
