/** The `espalier/webhooks` entry point: sends and receives webhooks with signatures (Standard Webhooks). */
export { receiveWebhooks } from './webhook/receive-webhooks.ts'
export type { ReceiveWebhooksOptions } from './webhook/receive-webhooks.ts'
export { webhookSender } from './webhook/webhook-sender.ts'
export type { WebhookRetry, WebhookSenderOptions } from './webhook/webhook-sender.ts'
