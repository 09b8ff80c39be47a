/** The entry point `espalier` for browsers, in which `handle`, `implement`, `implementAll` and `provide` throw. */
export * from './index.ts'
export { handle, implement, implementAll, provide } from './endpoint/internal/browser-guard.ts'
