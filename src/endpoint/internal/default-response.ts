/** The default response of an operation, which is sent if a handler returns a value instead of a reply. */
import * as Status from '../../http/status.ts'
import type { DeclaredResponse, Definition } from '../endpoint.ts'

/** A default response, and whether it must be added to the responses that `responds` and `fails` declare. */
export interface DefaultResponse {
  readonly response: DeclaredResponse
  /**
   * - `produced`: declared by `produces` or `status`, or implied because no success response other than 304 is declared
   * - `responds`: the only success response, which `responds` declares
   * - `none`: undeclared, because multiple success responses are declared, or one that is not 2xx
   */
  readonly declaredBy: 'produced' | 'responds' | 'none'
}

/** Returns the default response of an operation. */
export const defaultResponse = ({ produces, status, responses }: Definition): DefaultResponse => {
  const response: DeclaredResponse = {
    status: status ?? (produces.length === 0 ? 204 : 200),
    failure: false,
    representations: produces,
  }
  // 304 replaces a success response
  const successes = responses.filter(({ failure, status: other }) => !failure && other !== 304)
  if (produces.length > 0 || status !== undefined || successes.length === 0)
    return { response, declaredBy: 'produced' }
  const [only] = successes
  return only !== undefined && successes.length === 1 && Status.isSuccess(only.status)
    ? { response: only, declaredBy: 'responds' }
    : { response, declaredBy: 'none' }
}
