/** Finds operations whose callers can be authenticated only by TLS client certificates. */
import { clientCertificateScheme } from '../endpoint/authentication.ts'
import type { Plan } from './plan.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

/** The operations that have `mutualTls`, but no other authentication filter. */
export interface CertificateAuthentication {
  /** The operations that require an authenticated caller. Without certificates, every request to them is rejected. */
  readonly required: ReadonlyArray<string>
  /** The operations that also permit anonymous callers. Without certificates, all their callers are anonymous. */
  readonly optional: ReadonlyArray<string>
}

/** Returns the operations that depend on client certificates. */
export const certificateAuthentication = (
  plans: ReadonlyArray<Plan>,
): CertificateAuthentication => {
  const dependent = plans.filter(({ chain: { early } }) => {
    const schemes = early.flatMap(({ filter }) => filter.authentication?.scheme ?? [])
    return schemes.length > 0 && schemes.every((scheme) => scheme === clientCertificateScheme)
  })
  const titles = (isRequired: boolean): ReadonlyArray<string> =>
    dependent.filter((plan) => requiresCaller(plan) === isRequired).map(operationTitle)
  return { required: titles(true), optional: titles(false) }
}

const requiresCaller = ({ attributes: { access } }: Plan): boolean =>
  access?._tag === 'Roles' || access?._tag === 'Authenticated'
