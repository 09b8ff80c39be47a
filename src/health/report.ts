/**
 * Responses of health endpoints, in the format of MicroProfile Health.
 *
 * @see https://download.eclipse.org/microprofile/microprofile-health-4.0.1/microprofile-health-spec-4.0.1.html
 */
import * as t from 'io-ts'

export const Status = t.keyof({ UP: null, DOWN: null })

/** The result of one check. */
export const CheckReport = t.intersection([
  t.type({ name: t.string, status: Status }),
  t.partial({ data: t.record(t.string, t.union([t.string, t.number, t.boolean])) }),
])
export type CheckReport = t.TypeOf<typeof CheckReport>

export const Report = t.type({ status: Status, checks: t.readonlyArray(CheckReport) })
export type Report = t.TypeOf<typeof Report>

/** Combines the results of several checks. The status is `DOWN` if one of them is. */
export const reportOf = (checks: ReadonlyArray<CheckReport>): Report => ({
  status: checks.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN',
  checks,
})
