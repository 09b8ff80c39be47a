/**
 * The error thrown if the platform or the place of a codec does not support a required feature. It is handled as an internal error
 * instead of a validation error.
 */
export class MissingFeatureError extends Error {}
