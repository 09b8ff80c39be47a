/**
 * The entry point `espalier` for browsers. In web pages, `handle`, `implement`, `implementAll` and `provide` throw a
 * `TypeError`, because handlers and provided values would be public in a page.
 */
export * from './index.ts'
export { handle, implement, implementAll, provide } from './endpoint/browser-guard.ts'
