/**
 * Determines the size limits for request bodies.
 *
 * `max-body-size` applies to all bodies. Bodies that are parsed as a whole are also limited by `max-parsed-body-size`, and XML
 * bodies by `max-xml-size`. Files, streams and multipart bodies are not parsed as a whole, because they are read in chunks.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { Limits } from '../../endpoint/definition/attributes.ts'
import type { SettingName, Settings } from './settings.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'

/** A size limit, and its name in error messages. */
export interface SizeLimit {
  readonly bytes: number
  /** The name of the setting, or of the option that overrides it, such as `limits({ bodySize })`. */
  readonly setting: string
}

/** Creates the failure for a body that exceeds a limit (status 413). */
export const bodyTooLarge = ({ bytes, setting }: SizeLimit): RequestFailure => ({
  _tag: 'ContentTooLarge',
  detail: `Size limit of ${bytes} bytes exceeded (${setting}).`,
})

/**
 * Returns the size limit for a request body. If multiple limits apply, returns the smallest.
 *
 * If `isIntercepted` is `true`, `max-xml-size` is not taken into account. It is checked after the reader interceptors have run,
 * because they can reduce the size of the body.
 */
export const bodyLimit = (
  body: BodyPlan,
  settings: Settings,
  isIntercepted: boolean,
): SizeLimit => {
  if (bodyFormat(body.format).isStreamed)
    return limitOfSetting('fw.http.limits.max-body-size', settings)
  const limit = parsedBodyLimit(settings)
  return body.format._tag === 'Xml' && !isIntercepted
    ? smallerLimit(limit, limitOfSetting('fw.http.limits.max-xml-size', settings))
    : limit
}

/** Returns the limit for a body that is parsed as a whole. */
const parsedBodyLimit = (settings: Settings): SizeLimit =>
  smallerLimit(
    limitOfSetting('fw.http.limits.max-body-size', settings),
    limitOfSetting('fw.http.limits.max-parsed-body-size', settings),
  )

/** Returns the smaller of two limits, or `first` if both are equal. */
export const smallerLimit = (first: SizeLimit, second: SizeLimit): SizeLimit =>
  second.bytes < first.bytes ? second : first

type Setting =
  | 'fw.http.limits.max-body-size'
  | 'fw.http.limits.max-form-attribute-size'
  | 'fw.http.limits.max-multipart-file-size'
  | 'fw.http.limits.max-parsed-body-size'
  | 'fw.http.limits.max-xml-size'

/** Returns the limit configured by a setting. */
export const limitOfSetting = (setting: Setting, settings: Settings): SizeLimit => ({
  bytes: settings[setting],
  setting: limitName(setting, settings),
})

/** Returns the name of a limit for error messages: the option of `limits` that applies, or else the setting. */
export const limitName = (setting: SettingName, { limitNames }: Settings): string =>
  limitNames?.[setting] ?? setting

/** Overrides settings with the limits declared by an operation. */
export const withOperationLimits = (settings: Settings, limits: Limits): Settings => {
  const { bodySize, parsedBodySize, formAttributeSize, fileSize, files, timeout } = limits
  const { parameters, parts, partHeaders, partHeaderSize } = limits
  return Object.keys(limits).length === 0
    ? settings
    : {
        ...settings,
        'fw.http.limits.max-body-size': bodySize ?? settings['fw.http.limits.max-body-size'],
        // without `bodySize` here, the default `max-parsed-body-size` would cap the declared size of parsed bodies
        'fw.http.limits.max-parsed-body-size':
          parsedBodySize ?? bodySize ?? settings['fw.http.limits.max-parsed-body-size'],
        'fw.http.limits.max-form-attribute-size':
          formAttributeSize ?? settings['fw.http.limits.max-form-attribute-size'],
        'fw.http.limits.max-multipart-file-size':
          fileSize ?? settings['fw.http.limits.max-multipart-file-size'],
        'fw.http.limits.max-multipart-files':
          files ?? settings['fw.http.limits.max-multipart-files'],
        'fw.http.limits.max-parameters': parameters ?? settings['fw.http.limits.max-parameters'],
        'fw.http.limits.max-multipart-parts':
          parts ?? settings['fw.http.limits.max-multipart-parts'],
        'fw.http.limits.max-multipart-part-header-count':
          partHeaders ?? settings['fw.http.limits.max-multipart-part-header-count'],
        'fw.http.limits.max-multipart-part-header-size':
          partHeaderSize ?? settings['fw.http.limits.max-multipart-part-header-size'],
        'fw.http.handler-timeout': timeout ?? settings['fw.http.handler-timeout'],
        limitNames: limitNamesOf(limits),
      }
}

const limitNamesOf = (limits: Limits): Required<Settings>['limitNames'] => {
  const nameOf = (option: keyof Limits): string | undefined =>
    limits[option] === undefined ? undefined : `limits({ ${option} })`
  return {
    'fw.http.limits.max-body-size': nameOf('bodySize'),
    'fw.http.limits.max-parsed-body-size': nameOf('parsedBodySize') ?? nameOf('bodySize'),
    'fw.http.limits.max-form-attribute-size': nameOf('formAttributeSize'),
    'fw.http.limits.max-multipart-file-size': nameOf('fileSize'),
    'fw.http.limits.max-multipart-files': nameOf('files'),
    'fw.http.limits.max-parameters': nameOf('parameters'),
    'fw.http.limits.max-multipart-parts': nameOf('parts'),
    'fw.http.limits.max-multipart-part-header-count': nameOf('partHeaders'),
    'fw.http.limits.max-multipart-part-header-size': nameOf('partHeaderSize'),
  }
}
