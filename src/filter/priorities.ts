/**
 * Priorities of the ready-made filters. They run before filters with the default priority (5000), and in this order among each
 * other: the access log covers all other filters, and a request has its id before a filter can reject it.
 */
export const priorities = {
  accessLog: 100,
  timing: 200,
  requestId: 300,
  securityHeaders: 400,
  cors: 500,
} as const
