/** The settings of what is refused while there is too much to do: a part of `settings-table.ts`. */
import { durationMillis } from '../../codec/duration-millis.ts'
import { booleanSetting, setting, wholeNumber } from './setting.ts'

export const overloadSettings = {
  'fw.http.overload.enabled': setting(
    booleanSetting,
    true,
    'Whether requests get 503 with `Retry-After: 1` while the event loop is overloaded. Operations declared `vital` are always served.',
  ),
  'fw.http.overload.max-loop-delay': setting(
    durationMillis,
    250,
    'Time that requests may wait for the event loop before some are rejected. During an overload, most requests that have waited for more than 4 % of it are rejected. `0` disables the limit.',
  ),
  'fw.http.overload.max-loop-utilization': setting(
    wholeNumber(1, 100),
    98,
    'Percentage of its time that the event loop must be busy, in addition to the delay, before requests are rejected. `100` disables this condition.',
  ),
} as const
