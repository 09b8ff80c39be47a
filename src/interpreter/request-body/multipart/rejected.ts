/** Refusals of multipart content, as errors: what reads it waits, so there is nobody to hand a failure to. */
import type { HttpError } from '../../../endpoint/http-error.ts'
import * as Failures from '../../../http/failure.ts'
import { failureError } from '../../errors/failure-error.ts'

/** 400: the content as a whole is not what its media type says. */
export const malformedMultipart = (detail: string): HttpError =>
  failureError(Failures.ofErrors('InvalidInput', [{ in: 'body', pointer: '#', detail }]), '')

/** 413, with the setting that says so. */
export const multipartTooLarge = (detail: string): HttpError =>
  failureError({ _tag: 'ContentTooLarge', detail }, '')
