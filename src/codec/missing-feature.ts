/** The error for a feature that the platform or the place of a codec does not support. */
import { isError } from '../http/platform-value.ts'

/**
 * The error thrown if the platform or the place of a codec does not support a required feature. It is handled as an internal error
 * instead of a validation error.
 */
export class MissingFeatureError extends Error {
  override readonly name = 'MissingFeatureError'
}

/** Whether a value is a `MissingFeatureError`, possibly of another copy of the package. */
export const isMissingFeature = (value: unknown): value is MissingFeatureError =>
  isError(value) && value.name === 'MissingFeatureError'
