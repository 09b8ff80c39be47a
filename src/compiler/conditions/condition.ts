/** Evaluates and formats conditions. */
import type { Condition, Inclusion } from '../../endpoint/condition.ts'
import type { Configuration } from '../settings/configuration.ts'
import { isSecret, mask } from '../settings/setting.ts'
import type { Settings } from '../settings/settings.ts'

/** Whether a condition holds. */
export const isFulfilled = (condition: Condition, configuration: Configuration): boolean => {
  switch (condition._tag) {
    case 'Profile':
      return condition.names.includes(configuration.profile)
    case 'Property': {
      const text = configuration.property(condition.name)
      if (text === undefined) return condition.ifMissing
      return condition.value === undefined ? text !== 'false' : text === condition.value
    }
    case 'Not':
      return !isFulfilled(condition.condition, configuration)
    case 'AllOf':
      return condition.conditions.every((one) => isFulfilled(one, configuration))
    case 'AnyOf':
      return condition.conditions.some((one) => isFulfilled(one, configuration))
  }
}

/** Whether a condition includes its route or filter. */
export type ConditionCheck = (inclusion: Inclusion) => boolean

/** Creates the check of conditions. With `fw.rest.build-time-condition-aware=false`, `when` is not evaluated. */
export const conditionCheck =
  (configuration: Configuration, settings: Settings): ConditionCheck =>
  ({ _tag, condition }) =>
    _tag === 'DisabledWhen'
      ? !isFulfilled(condition, configuration)
      : !settings[aware] || isFulfilled(condition, configuration)

/** Formats a condition with its actual values: `when profile dev (the profile is prod)`. */
export const formatCondition = (
  { _tag, condition }: Inclusion,
  configuration: Configuration,
  settings: Settings,
): string => {
  const found =
    _tag === 'When' && !settings[aware]
      ? [`not evaluated, ${aware} is false`]
      : new Set(findings(condition, configuration))
  return `${_tag === 'When' ? 'when' : 'disabled when'} ${written(condition)} (${[...found].join(', ')})`
}

const aware = 'fw.rest.build-time-condition-aware'

const written = (condition: Condition): string => {
  switch (condition._tag) {
    case 'Profile':
      return `profile ${condition.names.join(' or ')}`
    case 'Property': {
      const { name, value, ifMissing } = condition
      const wanted =
        value === undefined
          ? `${name} is set to anything but "false"`
          : `${name} is ${quoted(name, value)}`
      return ifMissing ? `${wanted} or missing` : wanted
    }
    case 'Not':
      return `not (${written(condition.condition)})`
    case 'AllOf':
      return joined(condition.conditions, 'and')
    case 'AnyOf':
      return joined(condition.conditions, 'or')
  }
}

const joined = (conditions: ReadonlyArray<Condition>, word: string): string =>
  conditions.map((one) => `(${written(one)})`).join(` ${word} `)

/** Returns the actual values of all parts of a condition. */
const findings = (condition: Condition, configuration: Configuration): ReadonlyArray<string> => {
  switch (condition._tag) {
    case 'Profile':
      return [`the profile is ${configuration.profile}`]
    case 'Property': {
      const { name } = condition
      const text = configuration.property(name)
      return [text === undefined ? `${name} is not set` : `${name} is ${quoted(name, text)}`]
    }
    case 'Not':
      return findings(condition.condition, configuration)
    case 'AllOf':
    case 'AnyOf':
      return condition.conditions.flatMap((one) => findings(one, configuration))
  }
}

const quoted = (name: string, text: string): string =>
  isSecret(name) ? mask : JSON.stringify(text)
