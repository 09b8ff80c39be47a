/** Maps property names to names of environment variables, which cannot contain dots or hyphens. */

/** The variable that selects the profile. It sets no property. */
export const profileVariable = 'FW_PROFILE'

/** Returns the variable of a property: `FW_HTTP_LIMITS_MAX_BODY_SIZE` for `fw.http.limits.max-body-size`. */
export const variableName = (name: string): string =>
  name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()

/**
 * Returns the variables of a property in order of precedence: first its exact name, which no shell can set, then the name in upper case.
 * For a name without a dot, only the exact name counts; otherwise `path` would be `PATH`.
 */
export const variableNames = (name: string): ReadonlyArray<string> =>
  name.includes('.') ? [name, variableName(name)] : [name]

/**
 * Returns the log category whose level a variable sets: `access` for `FW_LOG_CATEGORY_ACCESS_LEVEL`. Each quote may be written as an
 * additional underscore. The category is in lower case.
 */
export const categoryOf = (variable: string): string | undefined =>
  /^FW_LOG_CATEGORY_+([A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)_+LEVEL$/.exec(variable)?.[1]?.toLowerCase()

/** Whether a property or variable with this name belongs to the framework. */
export const isReserved = (name: string): boolean => /^(?:fw\.|FW_)/.test(name)
