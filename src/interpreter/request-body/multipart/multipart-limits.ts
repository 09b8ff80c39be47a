/** The limits of multipart bodies, from the settings of an operation, and the errors that they cause. */
import { limitOfSetting, smallerLimit } from '../../../compiler/settings/body-limit.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { SizeLimit } from '../../../compiler/settings/size-limit.ts'
import type { HttpError } from '../../../endpoint/http-error.ts'
import { failureError } from '../../errors/failure-error.ts'
import * as Failures from '../../../http/failure.ts'

export interface MultipartLimits {
  /** Limit of a part that is not a file and is read as a stream. */
  readonly attribute: SizeLimit
  /** Limit of a part that is not a file and is parsed as a whole. */
  readonly parsedAttribute: SizeLimit
  /** In bytes. */
  readonly fileSize: number
  readonly files: number
  readonly parts: number
  readonly headerSize: number
  readonly headerCount: number
}

export const multipartLimits = (settings: Settings): MultipartLimits => {
  const attribute = limitOfSetting('fw.http.limits.max-form-attribute-size', settings)
  return {
    attribute,
    parsedAttribute: smallerLimit(
      attribute,
      limitOfSetting('fw.http.limits.max-parsed-body-size', settings),
    ),
    fileSize: settings['fw.http.limits.max-multipart-file-size'],
    files: settings['fw.http.limits.max-multipart-files'],
    parts: settings['fw.http.limits.max-parameters'],
    headerSize: settings['fw.http.limits.max-multipart-part-header-size'],
    headerCount: settings['fw.http.limits.max-multipart-part-header-count'],
  }
}

/** A 400 for a malformed multipart body. */
export const malformedMultipart = (detail: string): HttpError =>
  failureError(Failures.ofErrors('InvalidInput', [{ in: 'body', pointer: '#', detail }]), '')

/** A 413. `detail` names the setting. */
export const multipartTooLarge = (detail: string): HttpError =>
  failureError({ _tag: 'ContentTooLarge', detail }, '')
