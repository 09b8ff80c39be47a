/**
 * Whether the runtime is workerd (Cloudflare Workers).
 *
 * workerd ties timers, streams and `AbortController` to the request in which they were created. Other requests must not use them. They
 * cannot be created at all while a module is loading. Functions can be created from strings only while a module is loading.
 */
export const isWorkerd = (): boolean => {
  const navigator: unknown = Reflect.get(globalThis, 'navigator')
  return (
    typeof navigator === 'object' &&
    navigator !== null &&
    'userAgent' in navigator &&
    navigator.userAgent === 'Cloudflare-Workers'
  )
}
