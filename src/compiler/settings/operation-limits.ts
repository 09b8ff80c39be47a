/** The settings as an operation has them, with the limits that were said of it or around it. */
import type { Limits } from '../../endpoint/internal/attributes.ts'
import type { Settings } from './settings.ts'

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
