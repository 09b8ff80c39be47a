/**
 * The entry point `espalier` for browsers. In web pages, `handle`, `implement`, `implementAll` and `provide` throw a
 * `TypeError`, because all code in a page is public.
 */
export * from './index.ts'
export { handle, implement, implementAll, provide } from './endpoint/internal/browser-guard.ts'
