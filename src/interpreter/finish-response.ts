/** Finishes an encoded response before it is written (the end of step 12): headers of filters are added, and the body is compressed. */
import type { Headers } from '../http/headers.ts'
import { logBrokenResponse } from './errors/log-errors.ts'
import type { EncodedResponse } from './exchange.ts'
import { isChunkSource, keepUntilSent, observeChunks } from './exchange.ts'
import type { ResponseRecorder } from './idempotency/run-idempotently.ts'
import type { RequestInfo } from './request-info.ts'
import type { CompressResponse } from './response/compress-response.ts'
import { withAddedHeaders } from './response/response-headers.ts'

/** The members of the request state that {@link finishResponse} uses. */
interface RespondingRequest extends RequestInfo {
  readonly addedHeaders: Headers
  /** Stores the response, so that it can be sent again. `undefined` if the response is not stored. */
  recorder: ResponseRecorder | undefined
}

/**
 * Finishes a response. If it must be stored, this is done before the headers of this request are added. `error` is the error that led to
 * the response, if any.
 */
export const finishResponse = (
  response: EncodedResponse,
  state: RespondingRequest,
  compress: CompressResponse | undefined,
  error: unknown,
): EncodedResponse | Promise<EncodedResponse> => {
  const observed = isChunkSource(response.body)
    ? {
        ...response,
        body: observeChunks(response.body, (cause) => logBrokenResponse(state, cause)),
      }
    : response
  const { recorder } = state
  if (recorder === undefined) return addAndCompress(observed, state, compress)
  state.recorder = undefined
  keepUntilSent(observed, state.exchange)
  return recorder.record(observed, error).then(() => addAndCompress(observed, state, compress))
}

const addAndCompress = (
  response: EncodedResponse,
  { addedHeaders, exchange }: RespondingRequest,
  compress: CompressResponse | undefined,
): EncodedResponse | Promise<EncodedResponse> => {
  const complete = addedHeaders.length === 0 ? response : withAddedHeaders(response, addedHeaders)
  if (compress === undefined) return complete
  const compressed = compress(complete, exchange)
  if ('then' in compressed) keepUntilSent(complete, exchange)
  return compressed
}
