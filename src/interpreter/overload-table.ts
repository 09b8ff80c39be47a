/** The settings of what is refused while there is too much to do: a part of `settings-table.ts`. */
import { durationMillis } from '../codec/duration-millis.ts'
import { boolean, setting, wholeNumber } from './setting.ts'

export const overload = {
  'fw.http.overload.enabled': setting(
    boolean,
    false,
    'Whether requests are refused with 503 and `Retry-After: 1` while the event loop has more to do than it can; what is `vital` never is.',
  ),
  'fw.http.overload.max-loop-delay': setting(
    durationMillis,
    250,
    'The milliseconds that the event loop may be late before requests are refused; 0 is no limit.',
  ),
  'fw.http.overload.max-loop-utilization': setting(
    wholeNumber(1, 100),
    98,
    'The percent of its time that the event loop may be busy before requests are refused; 100 is no limit.',
  ),
} as const
