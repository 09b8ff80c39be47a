/**
 * The size limits of request bodies.
 *
 * Bodies that are parsed as a whole are subject to `max-parsed-body-size` and `max-body-size`, XML also to `max-xml-size`.
 * Files, streams and multipart bodies are read chunk by chunk and are subject to `max-body-size` only.
 */
import type { Limits } from '../../endpoint/internal/attributes.ts'
import type { Settings } from './settings.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { SizeLimit } from './size-limit.ts'

/**
 * Returns the limit of a request body that is read as `content`. Of several limits the smallest applies.
 *
 * `isIntercepted` tells whether reader interceptors run. They may return fewer bytes than they receive, so `max-xml-size` is
 * checked on their result instead.
 */
export const bodyLimit = (
  content: BodyPlan,
  settings: Settings,
  isIntercepted: boolean,
): SizeLimit => {
  if (bodyFormat(content.format).isStreamed)
    return limitOfSetting('fw.http.limits.max-body-size', settings)
  const limit = parsedBodyLimit(settings)
  return content.format._tag === 'Xml' && !isIntercepted
    ? smallerLimit(limit, limitOfSetting('fw.http.limits.max-xml-size', settings))
    : limit
}

/** Returns the limit of a body, or of a part that is not a file, that is parsed as a whole. */
export const parsedBodyLimit = (settings: Settings): SizeLimit =>
  smallerLimit(
    limitOfSetting('fw.http.limits.max-body-size', settings),
    limitOfSetting('fw.http.limits.max-parsed-body-size', settings),
  )

/** Returns the smaller limit; the first one if both are equal. */
export const smallerLimit = (first: SizeLimit, second: SizeLimit): SizeLimit =>
  second.bytes < first.bytes ? second : first

type Setting =
  | 'fw.http.limits.max-body-size'
  | 'fw.http.limits.max-form-attribute-size'
  | 'fw.http.limits.max-parsed-body-size'
  | 'fw.http.limits.max-xml-size'

export const limitOfSetting = (setting: Setting, settings: Settings): SizeLimit => ({
  bytes: settings[setting],
  setting,
})

export const withOperationLimits = (settings: Settings, limits: Limits): Settings => {
  const { bodySize, parsedBodySize, formAttributeSize, fileSize, time } = limits
  return Object.keys(limits).length === 0
    ? settings
    : {
        ...settings,
        'fw.http.limits.max-body-size': bodySize ?? settings['fw.http.limits.max-body-size'],
        // an explicit body size would be ineffective for parsed bodies if the default of this setting capped it
        'fw.http.limits.max-parsed-body-size':
          parsedBodySize ?? bodySize ?? settings['fw.http.limits.max-parsed-body-size'],
        'fw.http.limits.max-form-attribute-size':
          formAttributeSize ?? settings['fw.http.limits.max-form-attribute-size'],
        'fw.http.limits.max-multipart-file-size':
          fileSize ?? settings['fw.http.limits.max-multipart-file-size'],
        'fw.http.handler-timeout': time ?? settings['fw.http.handler-timeout'],
      }
}
