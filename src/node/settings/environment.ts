/**
 * How environment variables, which can hold neither dots nor hyphens, name properties.
 */

/** The variable that chooses the profile; it sets no property. */
export const profileVariable = 'FW_PROFILE'

/** The variable that sets a property: `FW_HTTP_LIMITS_MAX_BODY_SIZE` for `fw.http.limits.max-body-size`. */
export const variableOf = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()

/**
 * The variables that set a property, the strongest first: the one that bears its exact name, which no shell can
 * set, then the one in capitals. A name without a dot has no second one, or `path` would be `PATH`.
 */
export const candidates = (name: string): ReadonlyArray<string> =>
  name.includes('.') ? [name, variableOf(name)] : [name]

/** Whether a property or variable of this name can only be meant for the framework. */
export const isReserved = (name: string): boolean => /^(?:fw\.|FW_)/.test(name)
