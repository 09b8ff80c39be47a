/** The tests in `node:test`. */
import { test } from 'node:test'
import { tests } from '../suite.mjs'

for (const [title, run] of tests) test(title, run)
