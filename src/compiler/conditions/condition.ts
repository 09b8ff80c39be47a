/** What conditions come to in a configuration, and how they are told. */
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

/** Whether what was said about something allows it to be there. */
export type ConditionCheck = (inclusion: Inclusion) => boolean

/** What a configuration allows. When settings say that `when` is not heeded, everything but what is disabled. */
export const conditionCheck =
  (configuration: Configuration, settings: Settings): ConditionCheck =>
  ({ _tag, condition }) =>
    _tag === 'DisabledWhen'
      ? !isFulfilled(condition, configuration)
      : !settings[aware] || isFulfilled(condition, configuration)

/** What was said, and what was found: `when profile dev (the profile is prod)`. */
export const formatCondition = (
  { _tag, condition }: Inclusion,
  configuration: Configuration,
  settings: Settings,
): string => {
  const found =
    _tag === 'When' && !settings[aware]
      ? [`not asked, ${aware} is false`]
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

/** Everything that a condition looks at, whether or not it was decisive. */
const findings = (condition: Condition, configuration: Configuration): ReadonlyArray<string> => {
  switch (condition._tag) {
    case 'Profile':
      return [`the profile is ${configuration.profile}`]
    case 'Property': {
      const { name } = condition
      const text = configuration.property(name)
      return [
        text === undefined ? `nothing has the name ${name}` : `${name} is ${quoted(name, text)}`,
      ]
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
