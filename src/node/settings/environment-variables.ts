/**
 * How environment variables, which can hold neither dots nor hyphens, name properties.
 */

/** The variable that chooses the profile; it sets no property. */
export const profileVariable = 'FW_PROFILE'

/** The variable that sets a property: `FW_HTTP_LIMITS_MAX_BODY_SIZE` for `fw.http.limits.max-body-size`. */
export const variableName = (name: string): string =>
  name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()

/**
 * The variables that set a property, the strongest first: the one that bears its exact name, which no shell can
 * set, then the one in capitals. A name without a dot has no second one, or `path` would be `PATH`.
 */
export const variableNames = (name: string): ReadonlyArray<string> =>
  name.includes('.') ? [name, variableName(name)] : [name]

/**
 * The category whose level a variable says: `FW_LOG_CATEGORY_ACCESS_LEVEL`, and with two underscores for each quote. It is
 * in lower case, because a variable has no other case to tell.
 */
export const categoryOf = (variable: string): string | undefined =>
  /^FW_LOG_CATEGORY_+([A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)_+LEVEL$/.exec(variable)?.[1]?.toLowerCase()

/** Whether a property or variable of this name can only be meant for the framework. */
export const isReserved = (name: string): boolean => /^(?:fw\.|FW_)/.test(name)
