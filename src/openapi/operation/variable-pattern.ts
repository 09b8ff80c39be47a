/** Describes the regular expressions of path variables. */
import type { JsonSchema } from '../../codec/json-schema.ts'
import { portablePattern } from '../../regex-safety/portable-pattern.ts'

/** The regular expression of a path variable, as documents describe it. */
export interface VariablePattern {
  /** A portable expression that matches whole values. */
  readonly pattern: string
  /** Whether the expression matches values with a slash. */
  readonly spansSegments: boolean
}

/** Creates a function that describes the regular expression in a path template. It describes each expression only once. */
export const variablePatterns = (): ((regex: string) => VariablePattern) => {
  const known = new Map<string, VariablePattern>()
  return (regex) => {
    const found = known.get(regex) ?? variablePattern(regex)
    known.set(regex, found)
    return found
  }
}

const variablePattern = (regex: string): VariablePattern => {
  const anchored = regex.includes('|') ? `^(?:${regex})$` : `^${regex}$`
  const expression = new RegExp(`^(?:${regex})$`, 'u')
  return {
    pattern: portablePattern(new RegExp(anchored, 'u')) ?? anchored,
    spansSegments: ['a/b', '1/2', 'A/B', 'a/b.c'].some((text) => expression.test(text)),
  }
}

/** Adds the regular expression of a path variable to a schema. Patterns do not apply to numbers and booleans. */
export const withPattern = (
  schema: JsonSchema,
  variable: VariablePattern | undefined,
): JsonSchema => {
  if (variable === undefined) return schema
  if (schema.type !== undefined && schema.type !== 'string') return schema
  const { pattern } = variable
  if (schema.pattern === undefined) return { ...schema, pattern }
  return schema.pattern === pattern ? schema : { allOf: [schema, { pattern }] }
}
