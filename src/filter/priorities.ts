/**
 * Where ready-made filters stand among others: outside of all that say no priority (5000), and among each other in the one
 * order in which they make sense. A request is given its id before it can be refused, and the log sees all of it.
 */
export const priorities = {
  accessLog: 100,
  timing: 200,
  requestId: 300,
  securityHeaders: 400,
  cors: 500,
} as const
