/** The tests in Vitest. */
import { test } from 'vitest'
import { tests } from '../suite.mjs'

for (const [title, run] of tests) test(title, run)
