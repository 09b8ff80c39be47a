/** The limits of multipart content, as they hold for one operation. */
import type { Settings } from '../settings.ts'

export interface MultipartLimits {
  /** Octets of a part that is not a file. */
  readonly attribute: number
  /** Octets of a file. */
  readonly file: number
  readonly files: number
  readonly parts: number
  readonly headerSize: number
  readonly headerFields: number
}

export const limitsOf = (settings: Settings): MultipartLimits => ({
  attribute: settings['fw.http.limits.max-form-attribute-size'],
  file: settings['fw.http.limits.max-multipart-file-size'],
  files: settings['fw.http.limits.max-multipart-files'],
  parts: settings['fw.http.limits.max-parameters'],
  headerSize: settings['fw.http.limits.max-multipart-part-header-size'],
  headerFields: settings['fw.http.limits.max-multipart-part-header-count'],
})
