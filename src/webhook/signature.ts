/**
 * Signatures of webhooks, which the `standardwebhooks` package creates and verifies.
 *
 * ```text
 * webhook-id         the id of the message, which is the same for all attempts to send it
 * webhook-timestamp  the time of the attempt, in seconds since the Unix epoch
 * webhook-signature  a list of signatures, separated by spaces: one for each secret
 * ```
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

/** The part of the `standardwebhooks` package that is used. */
interface Webhook {
  readonly sign: (id: string, timestamp: Date, payload: string) => string
  /** Throws an error if no signature is valid. */
  readonly verify: (
    payload: string,
    headers: Record<string, string>,
    options: { readonly jsonParse: boolean },
  ) => unknown
}

/** The headers of a signed message. */
export interface SignedHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

/** Functions that sign and verify with one or more secrets. */
export interface Signer {
  /** Signs a payload with all secrets. */
  readonly sign: (id: string, timestamp: Date, payload: Uint8Array) => string
  /** Whether one of the secrets has signed a payload. */
  readonly verify: (headers: SignedHeaders, payload: Uint8Array) => boolean
}

const remedy =
  'espalier/webhooks requires the standardwebhooks package: run npm install standardwebhooks'

/**
 * Checks secrets, and returns a function that loads the package. Throws a `TypeError` if there is no secret, or if a secret is invalid. A
 * secret is the base64 encoding of 24 to 64 bytes, after the optional prefix `whsec_`.
 */
export const signerOf = (
  name: string,
  secrets: string | ReadonlyArray<string>,
): (() => Promise<Signer>) => {
  const all = typeof secrets === 'string' ? [secrets] : [...secrets]
  if (all.length === 0) throw new TypeError(`${name}: missing secret`)
  // a secret is not repeated in error messages
  if (!all.every(isSecret))
    throw new TypeError(
      `${name}: invalid secret: expected whsec_ followed by the base64 encoding of 24 to 64 bytes`,
    )
  let signer: Promise<Signer> | undefined
  return () => (signer ??= load(all))
}

/** 24 bytes are 32 characters, and 64 bytes are 86 characters with 2 characters of padding. */
const isSecret = (secret: unknown): boolean =>
  typeof secret === 'string' &&
  /^(?:whsec_)?(?=.{32,88}$)(?:[\w+/]{4})*(?:[\w+/]{4}|[\w+/]{3}=|[\w+/]{2}==)$/.test(secret)

const load = async (secrets: ReadonlyArray<string>): Promise<Signer> => {
  const { Webhook } = await import('standardwebhooks').catch((cause: unknown) => {
    throw new Error(remedy, { cause })
  })
  const webhooks = secrets.map((secret): Webhook => new Webhook(secret))
  return {
    sign: (id, timestamp, payload) => {
      const text = decoder.decode(payload)
      return webhooks.map((webhook) => webhook.sign(id, timestamp, text)).join(' ')
    },
    verify: ({ id, timestamp, signature }, payload) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      }
      return webhooks.some((webhook) => {
        try {
          // the package signs text, so other bytes have no valid signature
          webhook.verify(decoder.decode(payload), headers, { jsonParse: false })
          return true
        } catch {
          return false
        }
      })
    },
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
