/** Requests with bodies of an exact size, and the problem documents of those that are too large. */
import { base } from './contract.ts'

export const octets = 'application/octet-stream'

/** A document of exactly `size` bytes. */
export const note = (size: number): string => `{"a":"${'x'.repeat(size - 8)}"}`
export const element = (size: number): string => `<r><a>${'x'.repeat(size - 14)}</a></r>`
export const letters = (size: number): string => 'x'.repeat(size)

export const sent = (at: string, type: string, content: string | Uint8Array, more = {}): Request =>
  new Request(`${base}${at}`, {
    method: 'POST',
    body: Buffer.from(content),
    headers: { 'Content-Type': type, ...more },
  })

export const problem = async (response: Response): Promise<readonly [number, string]> => {
  const { detail = '' } = (await response.json()) as { readonly detail?: string }
  return [response.status, detail]
}

export const exceeded = (limit: number, setting: string): readonly [number, string] => [
  413,
  `Size limit of ${limit} bytes exceeded (fw.http.limits.${setting}).`,
]
