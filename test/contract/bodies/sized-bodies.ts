/** Requests with bodies of an exact size, and the problem documents of those that are too large. */
import { base } from '../../support/contract.ts'

export const binary = 'application/octet-stream'

/** A JSON document of `size` bytes. */
export const note = (size: number): string => `{"a":"${'x'.repeat(size - 8)}"}`
/** An XML document of `size` bytes. */
export const element = (size: number): string => `<r><a>${'x'.repeat(size - 14)}</a></r>`
/** Text of `size` bytes. */
export const letters = (size: number): string => 'x'.repeat(size)

/** A POST request with a body of the media type `type`. */
export const postRequest = (
  target: string,
  type: string,
  content: string | Uint8Array,
  headers = {},
): Request =>
  new Request(`${base}${target}`, {
    method: 'POST',
    body: Buffer.from(content),
    headers: { 'Content-Type': type, ...headers },
  })

/** Status and detail of a problem document. */
export const problem = async (response: Response): Promise<readonly [number, string]> => {
  const { detail = '' } = (await response.json()) as { readonly detail?: string }
  return [response.status, detail]
}

/** Expected status and detail if a body exceeds a limit, which is the name of a setting (`max-…`) or an option of `limits`. */
export const exceeded = (limit: number, name: string): readonly [number, string] => [
  413,
  `Size limit of ${limit} bytes exceeded (${limitName(name)}).`,
]

/** The name of a limit in error messages. */
export const limitName = (name: string): string =>
  name.startsWith('max-') ? `fw.http.limits.${name}` : `limits({ ${name} })`
