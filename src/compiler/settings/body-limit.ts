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
  const limit = smallerLimit(
    limitOfSetting('fw.http.limits.max-body-size', settings),
    limitOfSetting('fw.http.limits.max-parsed-body-size', settings),
  )
  return body.format._tag === 'Xml' && !isIntercepted
    ? smallerLimit(limit, limitOfSetting('fw.http.limits.max-xml-size', settings))
    : limit
}

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

type LimitSetting = Extract<SettingName, `fw.http.limits.${string}` | 'fw.http.handler-timeout'>

/** The options of `limits`, and the settings that they override. Later rows take precedence. */
const overridden: ReadonlyArray<
  readonly [option: keyof Limits, ...settings: ReadonlyArray<LimitSetting>]
> = [
  // otherwise, the default `max-parsed-body-size` would limit the size of parsed bodies
  ['bodySize', 'fw.http.limits.max-body-size', 'fw.http.limits.max-parsed-body-size'],
  ['parsedBodySize', 'fw.http.limits.max-parsed-body-size'],
  ['formAttributeSize', 'fw.http.limits.max-form-attribute-size'],
  ['fileSize', 'fw.http.limits.max-multipart-file-size'],
  ['files', 'fw.http.limits.max-multipart-files'],
  ['parameters', 'fw.http.limits.max-parameters'],
  ['parts', 'fw.http.limits.max-multipart-parts'],
  ['partHeaders', 'fw.http.limits.max-multipart-part-header-count'],
  ['partHeaderSize', 'fw.http.limits.max-multipart-part-header-size'],
  ['timeout', 'fw.http.handler-timeout'],
]

/** Overrides settings with the limits declared by an operation. */
export const withOperationLimits = (settings: Settings, limits: Limits): Settings => {
  if (Object.keys(limits).length === 0) return settings
  const values: { [N in LimitSetting]?: number } = {}
  const limitNames: { [N in LimitSetting]?: string } = {}
  for (const [option, ...names] of overridden)
    for (const name of names) {
      const limit = limits[option]
      if (limit === undefined) continue
      values[name] = limit
      limitNames[name] = `limits({ ${option} })`
    }
  return { ...settings, ...values, limitNames }
}
