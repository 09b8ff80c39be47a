/** Creates the responses that clients of contracts return. */

/** Creates a response from a status, received headers and a body. The status can be above 599. */
export const responseOf = (
  status: number,
  rawHeaders: ReadonlyArray<string>,
  body: ReadableStream<Uint8Array>,
): Response => {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  const hasNoBody = status === 204 || status === 205 || status === 304
  const response = new Response(hasNoBody ? null : body, {
    status: status <= 599 ? status : 200,
    headers,
  })
  return status <= 599 ? response : Object.defineProperty(response, 'status', { value: status })
}
