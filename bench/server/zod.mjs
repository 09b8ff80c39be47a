/** Schemas for the servers that validate with zod. */
import { z } from 'zod'

export const Order = z.object({
  id: z.int(),
  customer: z.object({ name: z.string(), email: z.string() }),
  lines: z.array(z.object({ sku: z.string(), quantity: z.int(), price: z.number() })),
  notes: z.string(),
  tags: z.array(z.string()),
})

export const Params = z.object({ id: z.coerce.number().int() })

export const Query = z.object({
  page: z.coerce.number().int().default(1),
  tag: z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]),
})

export const Headers = z.object({ 'x-trace': z.string().optional() })

export const Cookies = z.object({ sid: z.string().optional() })
