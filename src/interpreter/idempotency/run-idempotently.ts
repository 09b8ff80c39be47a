/**
 * Runs an operation at most once for each `Idempotency-Key` (between steps 8 and 9). The first request leases the key, and its response is
 * stored after it has been encoded (step 12). Repetitions receive the stored response.
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Idempotency } from '../../endpoint/definition/idempotency.ts'
import type { Acquired, Store } from '../../endpoint/definition/store.ts'
import { Conflict, ServiceUnavailable, UnprocessableContent } from '../../endpoint/http-error.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import * as IdempotencyKey from '../../http/idempotency-key.ts'
import { isAbort } from '../errors/log-errors.ts'
import type { EncodedResponse } from '../exchange.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import type { RequestInfo, ResponseRecorder } from '../request-info.ts'
import { withAddedHeaders } from '../response/response-headers.ts'
import type { SelectResponse } from '../routing/select-representation.ts'
import { fingerprint } from './fingerprint.ts'
import { Lease } from './lease.ts'
import { readStored, writeStored } from './stored-response.ts'

/** The part of a compiled operation that recognizes repeated requests. */
export interface IdempotentOperation {
  readonly name: string
  readonly rules: Idempotency
  readonly store: Store
  readonly selectResponse: SelectResponse
}

/** The part of the request state that {@link runIdempotently} uses. */
export interface IdempotentRequest extends RequestInfo {
  /** Whether the deadline has passed, and the response has been sent. */
  readonly isLate: boolean
  recorder: ResponseRecorder | undefined
  readonly fail: (error: unknown) => void
  /** Compresses and sends an encoded response. Response filters do not run. */
  readonly sendEncoded: (response: EncodedResponse) => void
}

/** Reads the key of a request. Returns `undefined` if the request has no key and needs none, and a failure if the key is missing or malformed. */
export const readKey = (
  headers: Headers.RequestHeaders,
  { isRequired, isStrict }: Idempotency,
): string | RequestFailure | undefined => {
  const text = Headers.combined(headers, IdempotencyKey.headerName)
  if (text === undefined) return isRequired ? missingKey : undefined
  return O.getOrElse((): string | RequestFailure => (isStrict ? malformedString : malformedKey))(
    IdempotencyKey.parse(text, isStrict),
  )
}

const keyFailure = (detail: string): RequestFailure => ({
  _tag: 'InvalidInput',
  errors: [{ in: 'header', name: IdempotencyKey.headerName, detail }],
  more: false,
})

const missingKey = keyFailure(
  'is required: use a new UUID for each operation, and the same one to repeat it',
)
const malformedString = keyFailure(
  `must be a quoted string of 1 to ${IdempotencyKey.maxLength} characters (RFC 9651, 3.3.3)`,
)
const malformedKey = keyFailure(
  `must consist of 1 to ${IdempotencyKey.maxLength} letters, digits and -._~:/+=@, or be a quoted string (RFC 9651, 3.3.3)`,
)

/** Calls `run` if no other request has the key. Otherwise, sends the stored response or an error. */
export const runIdempotently = (
  state: IdempotentRequest,
  operation: IdempotentOperation,
  key: string,
  input: HandlerInput,
  run: () => void,
): void => {
  lookUp(state, operation, key, input)
    .then((found) => {
      if (found !== undefined) return proceed(state, operation, found, run)
    })
    .catch((error: unknown) => state.fail(error))
}

/** A key in the store, as it was found. */
interface Found {
  readonly key: string
  readonly fingerprint: string
  readonly acquired: Acquired
}

/** Leases the key of a request, or reads the response of an earlier one. Resolves to `undefined` if the deadline has passed. */
const lookUp = async (
  state: IdempotentRequest,
  { name, rules, store, selectResponse }: IdempotentOperation,
  key: string,
  input: HandlerInput,
): Promise<Found | undefined> => {
  const { authenticated, prefixValues, exchange } = state
  // the values of `needs` depend on the caller and on the filters, not on the request
  const sent = { ...input, needs: undefined }
  const caller = [authenticated?.scheme, authenticated?.principal.name]
  const found = {
    key: `idempotency:${await fingerprint([caller, key])}`,
    fingerprint: await fingerprint([name, sent, prefixValues, selectResponse(exchange.headers)]),
  }
  if (state.isLate) return undefined
  try {
    const acquired = await store.acquire(found.key, found.fingerprint, rules.lease)
    return { ...found, acquired }
  } catch (error) {
    throw unavailable(state, error)
  }
}

const proceed = (
  state: IdempotentRequest,
  operation: IdempotentOperation,
  { key, fingerprint: expected, acquired }: Found,
  run: () => void,
): void => {
  const { store, rules } = operation
  if (acquired._tag === 'Leased') {
    const lease = new Lease(store, key, acquired.token, rules.lease, (error) =>
      logStoreError(state, error),
    )
    if (state.isLate) return void lease.release()
    state.recorder = recorder(state, lease, rules)
    return run()
  }
  if (acquired.fingerprint !== expected)
    throw new UnprocessableContent('the Idempotency-Key was used for a different request')
  if (acquired._tag === 'Busy')
    throw new Conflict('a request with the same Idempotency-Key is still running', {
      headers: { 'Retry-After': '1' },
    })
  const stored = readResponse(state, acquired.value)
  if (stored.isOmitted)
    throw new Conflict(
      `the request was processed with status ${stored.status}, but its response is not available`,
    )
  state.sendEncoded({ ...stored, headers: [...stored.headers, 'Idempotent-Replayed', 'true'] })
}

const readResponse = (state: RequestInfo, value: Uint8Array): ReturnType<typeof readStored> => {
  try {
    return readStored(value)
  } catch (error) {
    throw unavailable(state, error)
  }
}

/** Creates the recorder of a run. Headers that filters added before the run are not recorded, because they are added to each response. */
const recorder = (
  state: IdempotentRequest,
  lease: Lease,
  { retention, maxResponseSize }: Idempotency,
): ResponseRecorder => {
  const inherited = state.addedHeaders.length
  return {
    record: async (response, error) => {
      if (unstored.has(response.status) || isAbort(error, () => state.signal()))
        return lease.release()
      const added = state.addedHeaders.slice(inherited)
      const stored = writeStored(withAddedHeaders(response, added), maxResponseSize)
      if (await lease.complete(stored, retention)) return
      state.program.logger.warn(
        { id: state.id },
        'The response to a request with an Idempotency-Key was not stored',
      )
    },
    abandon: () => void lease.release(),
    onTimeout: () => lease.stop(),
  }
}

/** Statuses of responses after which the request can be repeated. */
const unstored: ReadonlySet<number> = new Set([401, 403, 408, 413, 429, 503])

const unavailable = (state: RequestInfo, cause: unknown): ServiceUnavailable => {
  logStoreError(state, cause)
  return new ServiceUnavailable('the store of idempotency keys is not available', {
    cause,
    headers: { 'Retry-After': '1' },
  })
}

const logStoreError = ({ program, id }: RequestInfo, error: unknown): void =>
  program.logger.error({ id, err: error }, 'The store of idempotency keys failed')
